import { costText } from '../report/costs.ts';
import { counted, formatCount, formatPercent } from '../report/format.ts';
import type { Report, Table } from '../report/report.ts';
import type { DiagnoseResult } from './diagnose-profile.ts';
import { baseText, profileHeading } from './profile-report.ts';

type Finding = DiagnoseResult['findings'][number];

/** A result of diagnose_profile: what was found in words, then its evidence as a table for each. */
export function diagnoseReport(result: DiagnoseResult): Report {
  const { profile, events, base, base_event, findings } = result;
  return {
    heading: [
      ...profileHeading(profile, events),
      baseText(events, base_event, base),
      findings.length === 0 && base > 0
        ? 'Findings: none. No rule applies: nothing stands out that is known to be wrong. analyze_profile lists what costs most.'
        : `Findings: ${counted(findings.length, 'finding')}${findings.length > 1 ? ', the greatest gain first' : ''}`,
    ],
    tables: findings.map((finding, index) => findingTable(finding, index, result)),
    notes: result.warnings,
  };
}

function findingTable(finding: Finding, index: number, { events }: DiagnoseResult): Table {
  const { gain } = finding;
  const worth =
    gain === null
      ? 'nothing to gain by itself'
      : `gain at most ${formatPercent(gain.percent)} %${gain.speedup === null ? '' : ` (${gain.speedup} x as fast)`}`;
  return {
    title: [
      `${index + 1}. ${finding.title}`,
      `Rule ${finding.rule}; share ${formatPercent(finding.share)} %; ${worth}; confidence ${finding.confidence}`,
      `What to do: ${finding.advice}`,
      `Next: ${finding.next.tool} ${JSON.stringify(finding.next.arguments)}`,
      ...(finding.budget === null ? [] : [`Budget: ${finding.budget}`]),
      'Evidence:',
    ].join('\n'),
    columns: [
      ...['node', 'calls', '%', 'line'].map((title) => ({ title, align: 'right' as const })),
      ...['cost', 'function', 'file', 'what it shows'].map((title) => ({
        title,
        align: 'left' as const,
      })),
    ],
    rows: finding.evidence.map((row) => [
      row.node === null ? '' : String(row.node),
      formatCount(row.calls),
      formatPercent(row.percent),
      row.line === null ? '' : row.line === 0 ? 'unknown' : String(row.line),
      costText(events, row.cost),
      row.name,
      row.file,
      row.note,
    ]),
    empty: '',
  };
}
