import { bare } from '../clauses.ts';
import type { Step } from '../task.ts';
import { type Behaviour, isError, type Report, stepsWith } from './behaviour.ts';

const save = '(?:save|store|remember|keep|memori[sz]e)';
const article = '(?:(?:the|my|our|a|an)\\s+)?';
const underName = '\\s+(?:as|under)\\s+(?:the\\s+)?(?:(?:name|key)\\s+)?(?<name>.+)';

const asksToSave = [
  new RegExp(`\\b${save}\\s+(?:the\\s+)?value\\s+(?<value>.+?)${underName}`, 'is'),
  new RegExp(
    `\\bremember\\s+(?:that\\s+)?${article}(?:value\\s+(?:of\\s+)?)?(?<name>.+?)\\s*(?:\\bis\\b|\\bare\\b|=|:(?=\\s))\\s*(?<value>.+)`,
    'is',
  ),
  new RegExp(`\\b${save}\\s+(?<value>.+?)${underName}`, 'is'),
];

const asksToRecall = [
  new RegExp(
    `\\b(?:recall|read|give(?: me)?|tell(?: me)?|what(?: is|'s|’s| was)|which is)\\s+${article}(?:(?:saved|stored|remembered)\\s+)?value\\s+(?:(?:of|for|named|called|under|saved (?:as|under))\\s+)?(?:the\\s+name\\s+)?(.+)`,
    'is',
  ),
  new RegExp(
    `\\bwhat(?: is|'s|’s| was| did (?:i|we|you))\\s+(?:saved|stored|remembered|save|store|remember)\\s+(?:as|under|for|about)\\s+${article}(?:name\\s+)?(.+)`,
    'is',
  ),
  /\b(?:what|which)\s+value\s+(?:is|was|did (?:i|we|you))\s+(?:saved?|stored?|remember(?:ed)?)\s+(?:as|under|for)\s+(?:the\s+)?(?:name\s+)?(.+)/is,
  new RegExp(`\\brecall\\s+${article}(.+)`, 'is'),
];

const asksToList =
  /\b(?:list|show|which|what|name)\b.*\b(?:saved|stored|remembered)\s+(?:values|names)\b|\b(?:values|names)\b.*\b(?:saved|stored|remembered)\b/is;
const namesFile = /\bfile\b|\.(?:md|csv|json|txt)\b/i;

export const saveValueBehaviour: Behaviour = {
  tool: 'save_data',
  inputs: ({ clauses }) => clauses.flatMap((clause) => saving(clause) ?? []),
  report: (task) => stepsWith(task, 'save_data').map(reportSaved),
};

export const readValueBehaviour: Behaviour = {
  tool: 'read_data',
  inputs: ({ clauses }) => clauses.flatMap((clause) => (saving(clause) ? [] : (reading(clause) ?? []))),
  report: (task) => stepsWith(task, 'read_data').map(reportRead),
};

function saving(clause: string): { name: string; value: string } | undefined {
  for (const pattern of asksToSave) {
    const { name = '', value = '' } = pattern.exec(clause)?.groups ?? {};
    const input = { name: bare(name), value: bare(value) };
    if (input.name === '' || input.value === '' || namesFile.test(input.name)) continue;
    return input;
  }
  return undefined;
}

function reading(clause: string): { name?: string } | undefined {
  if (asksToList.test(clause)) return {};
  const name = asksToRecall.map((pattern) => pattern.exec(clause)?.[1]).find((found) => found !== undefined);
  return name === undefined ? undefined : { name: bare(name) };
}

function reportSaved({ input, result }: Step): Report {
  const name = String(input.name);
  if (isError(result)) return { text: `The value "${name}" was not saved: ${result.trim()}` };
  return { text: `I saved "${String(input.value)}" under the name "${name}".`, aside: result.trim() };
}

function reportRead({ input, result }: Step): Report {
  const subject =
    input.name === undefined ? 'The saved values' : `The value saved as "${String(input.name)}"`;
  if (isError(result)) return { text: `${subject} could not be read: ${result.trim()}` };
  return { text: `${subject}: ${result.trim()}` };
}
