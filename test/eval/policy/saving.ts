import type { Conversation, MadeCall } from './conversation.ts';
import type { Call } from './research.ts';
import type { Tools } from './tools.ts';

const partCharacters = 6_000;
const attempts = 3;

/** What to do for a file: a call, or the line for the answer when it is saved or given up. */
export function saveAs(
  { calls }: Conversation,
  tools: Tools,
  { filename, content }: { filename: string; content: string },
): Call | string {
  const file = tools.named('file');
  const lost = `The file ${filename} could not be saved.`;
  const made = calls.filter(({ name, args }) => name === file || args.filename !== undefined);
  const last = made.at(-1);
  if (!last) return file === undefined ? lost : { name: file, args: { filename, content } };
  const whole = made.find(({ args, result }) => args.content === content && isSaved(result));
  if (whole) return lineOf(whole);
  const parts = partsOf(content);
  const next = parts.findIndex(
    (part) => !made.some(({ args, result }) => args.content === part && isSaved(result)),
  );
  if (next < 0) return lineOf(last);
  const inParts = file !== undefined && tools.takes(file, 'append');
  const part = inParts ? parts[next]! : content;
  // A cut call has no arguments that could be compared.
  const failed = made.filter(({ args }) => !inParts || args.content === part).length;
  if (file === undefined) return isSaved(last.result) ? lineOf(last) : lost;
  if (failed >= attempts) return lost;
  return {
    name: file,
    args: { filename, content: part, ...(inParts && next > 0 && { append: true }) },
  };
}

const isSaved = (result: string | undefined): boolean => result !== undefined && !result.startsWith('Error');

const lineOf = ({ result = '' }: MadeCall): string => `The file is saved. ${result}`;

/** Cuts behind line ends, so that the parts put together are the whole. */
function partsOf(content: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const line of content.split(/(?<=\n)/)) {
    if (part !== '' && part.length + line.length > partCharacters) {
      parts.push(part);
      part = '';
    }
    part += line;
  }
  return [...parts, part];
}
