/** How lines are written: positions, jumps, blanks, line ends. */
import { describe, expect, test } from 'bun:test';
import { read } from '../support/read.ts';
import { foreign, record, timed, timedAndSized } from '../support/text.ts';

describe('positions', () => {
  const rows: readonly [what: string, body: string, lines: string[], positions?: string][] = [
    ['absolute', '20 5\n23 1\n', ['f:20 5', 'f:23 1']],
    ['relative: +n, -n, *', '20 5\n+3 1\n* 7\n-10 2\n', ['f:20 5', 'f:23 8', 'f:13 2']],
    ['hexadecimal', '0x20 4\n0xfF 1\n', ['f:32 4', 'f:255 1']],
    ['relative and hexadecimal', '16 1\n+0x10 2\n-0x8 4\n', ['f:16 1', 'f:32 2', 'f:24 4']],
    ['relative to the line of a function before', '20 5\nfn=g\n+1 3\n', ['f:20 5', 'g:21 3']],
    [
      'relative to the line of a call, and the call to the line before it',
      '20 5\ncfn=g\ncalls=2 90\n+3 10\n+1 2\n',
      ['f:20 5', 'f:24 2'],
    ],
    [
      'two columns: the line is the second, each is relative to its own last value',
      '0x1000 20 5\n+4 +1 3\n* * 2\n-4 22 1\n',
      ['f:20 5', 'f:21 5', 'f:22 1'],
      'instr line',
    ],
    [
      'two columns: the line is where the header says',
      '20 0x1000 5\n+1 +4 3\n',
      ['f:20 5', 'f:21 3'],
      'line instr',
    ],
    ['line 0', '0 5\n', ['f:0 5']],
    ['the highest line', '2147483647 5\n', ['f:2147483647 5']],
  ];
  for (const [what, body, lines, positions] of rows) {
    test(what, () => {
      const view = read(foreign(`fl=/a.c\nfn=f\n${body}`, positions));
      expect(view.lines).toEqual(lines);
    });
  }

  test('addresses alone are no lines', () => {
    // callgrind --dump-instr=yes --dump-line=no
    const view = read(foreign('fl=/a.c\nfn=f\n0x7f0012345678 5\n+4 3\n', 'instr'));
    expect(view.lines).toEqual(['f:0 8']);
  });

  for (const line of ['2147483648', '99999999999']) {
    test(`line ${line} is damage`, () => {
      const view = read(
        timed(`${record('(1) /a.php', '(1) f', 1, 10)}fl=(1)\nfn=(1)\n${line} 5\n`),
      );
      expect(view.lines).toEqual(['f:1 10']);
      expect(view.fidelity).toBe('partial');
    });
  }

  test('a line before the first is damage', () => {
    const view = read(foreign('fl=/a.c\nfn=f\n1 10\n-100 5\n'));
    expect(view.lines).toEqual(['f:1 10']);
    expect(view.fidelity).toBe('partial');
  });

  test('the line of a call is that of its cost line', () => {
    const view = read(
      foreign(
        'fl=/a.c\nfn=f\n20 5\ncfn=g\ncalls=2 90\n+3 10\ncfn=g\ncalls=1 +70\n* 4\nfn=g\n90 14\n',
      ),
    );
    expect(view.calls).toEqual(['f:23 g x3 14']); // 2 calls for 10, 1 for 4, all on line 20 + 3
    expect(view.lines).toEqual(['f:20 5', 'g:90 14']);
  });

  test('a line of PHP is relative to lines that were read fast', () => {
    // The first record is read as a whole, the second line by line: 30 + 2.
    const view = read(
      timed(
        `${record('(1) /a.php', '(1) f', 30, 5)}${record('(1)', '(1)', 30, 5)}fl=(1)\nfn=(1)\n+2 7\n`,
      ),
    );
    expect(view.lines).toEqual(['f:30 10', 'f:32 7']);
  });

  for (const bad of ['0x', '0xg', '1x', '+', '-', '**', '*1', '1,5', '1.5', '+-1']) {
    test(`a position of ${bad} is damage`, () => {
      const view = read(
        timed(`${record('(1) /a.php', '(1) f', 1, 10)}fl=(1)\nfn=(1)\n${bad} 5\n1 2\n`),
      );
      expect(view.total).toEqual([12]); // 10 + 2
      expect(view.fidelity).toBe('partial');
      // Eight lines of header, four of the record, fl=, fn=: line 15.
      expect(view.profile.warnings).toEqual([expect.stringMatching(/^line 15: /)]);
    });
  }
});

describe('jumps', () => {
  const rows: readonly [what: string, line: string][] = [
    ['jump=COUNT TARGET', 'jump=7 14'],
    ['jcnd=FOLLOWED/EXECUTED TARGET', 'jcnd=4/9 14'],
    ['jcnd=FOLLOWED EXECUTED TARGET', 'jcnd=4 9 14'],
    ['jfi= and jfn= before', 'jfi=(9) /b.h\njfn=(9) g\njump=7 14'],
  ];
  for (const [what, line] of rows) {
    test(`${what}: neither it nor its position is a cost or a call`, () => {
      const view = read(foreign(`fl=/a.c\nfn=f\n10 20\n${line}\n12\n+2 40\n`));
      expect(view.lines).toEqual(['f:10 20', 'f:14 40']); // +2 is relative to the position of the jump
      expect(view.calls).toEqual([]);
      expect(view.names).toEqual(['f']);
    });
  }

  test('with two position columns', () => {
    const view = read(
      foreign('fl=/a.c\nfn=f\n0x10 10 20\njcnd=4/9 0x20 14\n+4 +1\n+4 +1 5\n', 'instr line'),
    );
    expect(view.lines).toEqual(['f:10 20', 'f:12 5']);
  });
});

describe('blanks and line ends', () => {
  const plain = timedAndSized(
    record('(1) /a.php', '(1) work', 5, '60 16') +
      record('(1)', '(2) {main}', 1, '20 8', [['(1)', '(1)', 3, '60 16']]),
    '85 4096',
  );
  const rows: readonly [what: string, text: string][] = [
    ['CRLF', plain.replaceAll('\n', '\r\n')],
    ['tabs', plain.replace(/^(\d+) (\d+) (\d+)$/gm, '$1\t$2\t$3')],
    ['several blanks', plain.replace(/^(\d+) (\d+) (\d+)$/gm, '$1  $2 \t $3')],
    ['blanks before the position', plain.replace(/^(\d+ )/gm, '  $1')],
    ['blanks behind the costs', plain.replace(/^(\d+ \d+ \d+)$/gm, '$1 \t')],
    ['blanks before keys', plain.replace(/^(c?f[ln]|calls)=/gm, '\t $1=')],
    ['lines of blanks only', plain.replaceAll('\n\n', '\n \t\n')],
    ['no blank lines', plain.replace(/\n+/g, '\n')],
    ['many blank lines', plain.replaceAll('\n\n', '\n\n\n\n\n')],
    ['blanks in the summary', plain.replace('summary: 85 4096', 'summary:\t 85  4096 ')],
    ['a byte order mark', `\u00ef\u00bb\u00bf${plain}`],
    ['no blank in the summary', plain.replace('summary: 85', 'summary:85')],
  ];
  for (const [what, text] of rows) {
    test(`${what} change no number`, () => {
      expect(text === plain).toBe(false);
      const view = read(text);
      expect(view.treeText).toEqual(['{main} x1 20,8/80,24', '  work x1 60,16/60,16']);
      expect(view.file('work')).toBe('/a.php');
      expect(view.summary).toEqual([85, 4096]);
      expect(view.fidelity).toBe('exact');
      expect(view.profile.events.map(({ name }) => name)).toEqual([
        'Time_(10ns)',
        'Memory_(bytes)',
      ]);
    });
  }

  test('a carriage return within a name is part of it', () => {
    const view = read(timed(record('(1) /a.php', '(1) a\rb', 1, 10)));
    expect(view.names).toEqual(['a\\x0Db']);
  });
});
