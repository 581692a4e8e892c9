import { z } from 'zod';
import { visible } from '../base/names.ts';
import { CATEGORIES } from '../profile/categories.ts';
import { explainFunction } from '../profile/explain-function.ts';
import { FUNCTION_KINDS, type FunctionKind } from '../profile/kinds.ts';
import { KNOWLEDGE_VERSION, type KnownFunctions } from '../profile/knowledge.ts';
import { shownOf } from '../report/format.ts';
import { defineTool } from './tool.ts';

/** Some rows have a hundred names; these are enough to see what they are about. */
const NAMES_LISTED = 12;

type Texts = Pick<KnownFunctions, 'what' | 'slow' | 'advice'>;

const input = z.strictObject({
  function_name: z
    .string()
    .min(1)
    .max(4096)
    .describe(
      'As a profile has it (php::PDO->query, Twig\\Environment->render); php:: may be left out. Or a glob.',
    ),
});

const output = z.strictObject({
  function_name: z.string().describe('The name that was looked up, as profiles write it.'),
  known: z.boolean().describe('false: nothing is known of this one in particular.'),
  kind: z.enum(FUNCTION_KINDS),
  category: z.enum(CATEGORIES).nullable(),
  trip: z.boolean().describe('Every call leaves the process and waits for an answer.'),
  what: z.string(),
  slow: z.string().describe('What usually makes it slow.'),
  advice: z.string(),
  names: z.array(z.string()).describe('Functions that the same is true of; * stands for any text.'),
  names_total: z.number(),
  closest: z.array(z.string()).describe('Known names like an unknown one, or that a glob means.'),
  knowledge_version: z.number(),
});
type Result = z.output<typeof output>;

/** What a function is, what usually makes it slow, and what to do. */
export const explainFunctionTool = defineTool({
  name: 'explain_function',
  title: 'Explain a function',
  description: `Says what a function of PHP, of its extensions or of a well-known library or framework does, what usually makes it slow and what to do about it. Use it when such a function is heavy in a profile. It needs no profile and says nothing about one: costs come from the other tools. The application's own functions are not known here; that is an answer, not an error.`,
  class: 'read',
  input,
  output,
  run({ function_name }) {
    // Names in profiles are shown with control characters escaped.
    const { name, kind, known, closest } = explainFunction(visible(function_name));
    const { what, slow, advice } = known ?? UNKNOWN[kind];
    const names = known?.names ?? [];
    return Promise.resolve({
      function_name: name,
      known: known !== undefined,
      kind,
      category: known?.category ?? null,
      trip: known?.trip ?? false,
      what,
      slow,
      advice,
      names: names.slice(0, NAMES_LISTED),
      names_total: names.length,
      closest: [...closest],
      knowledge_version: KNOWLEDGE_VERSION,
    });
  },
  report: (result) => ({ heading: headingOf(result), tables: [], notes: [] }),
});

const ASK_PROFILE =
  'Ask get_function and get_callees of a profile where its time goes, and get_callers who calls it how often.';

/** What can be said of a function by the kind of its name alone. */
const UNKNOWN: Readonly<Record<FunctionKind, Texts>> = {
  user: {
    what: "A function or method of the application or of a library; PHP's own have php:: before their name in profiles.",
    slow: 'Only a profile can tell: its own lines, what it calls, or how often it is called.',
    advice: ASK_PROFILE,
  },
  internal: {
    what: 'A function of PHP itself or of an extension that nothing in particular is known of.',
    slow: 'Mostly such a function is quick, and is called very often or with much data.',
    advice:
      'Ask get_callers of a profile which lines call it, how often, and whether one call or the number of calls costs the time.',
  },
  include: {
    what: 'Loads a PHP file and runs its top level code.',
    slow: 'Only a profile can tell: compiling the file, what it does when it is loaded, or how often that is done.',
    advice: ASK_PROFILE,
  },
  main: {
    what: 'The script that was started, with all that it runs outside of functions; its inclusive time is that of the whole run.',
    slow: 'Its self time is that of top level code; all else is in what it calls.',
    advice: 'Ask analyze_profile for the heaviest functions and get_call_tree for the way to them.',
  },
  closure: {
    what: 'An anonymous function, named after the file and the lines that it stands on.',
    slow: 'Only a profile can tell; often it is called once for each element of an array.',
    advice: ASK_PROFILE,
  },
  eval: {
    what: 'Code that was compiled from a string.',
    slow: 'It is compiled anew each time.',
    advice: ASK_PROFILE,
  },
};

function headingOf(result: Result): string[] {
  const { known, kind, category, trip, names, names_total, closest } = result;
  const facts = [known ? 'known' : 'not known in particular', `kind ${kind}`];
  if (category !== null) facts.push(`category ${category}`);
  if (trip) facts.push('every call waits for an answer from outside of the process');
  const lines = [
    `Function: ${result.function_name} (${facts.join(', ')})`,
    `What it is: ${result.what}`,
    `What makes it slow: ${result.slow}`,
    `What to do: ${result.advice}`,
  ];
  if (names.length > 0) {
    lines.push(`True of ${shownOf(names.length, names_total, 'name')}: ${names.join(', ')}`);
  }
  if (closest.length > 0) lines.push(`Known names like it: ${closest.join(', ')}`);
  lines.push(`Knowledge version: ${result.knowledge_version}`);
  return lines;
}
