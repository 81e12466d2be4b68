import fc from 'fast-check';
import type { Answer } from '../../support/model-server.ts';
import type { Outside } from './outside.ts';

interface Turn {
  text?: string | undefined;
  calls: (keyof typeof callsOf)[];
}

/** What the models of a run write, and how the run is asked for. */
export interface Play {
  turns: Turn[];
  asks: boolean;
  checks: Turn[];
  isChanged: boolean;
  proof: boolean;
}

/** The calls of tools by which a run may read, find, save and fail. */
const callsOf = {
  todo: () => ({ name: 'write_todos', args: { todos: [{ content: 'Look', status: 'pending' }] } }),
  save: () => ({ name: 'save_data', args: { name: 'harbour', value: 'Den Helder' } }),
  file: () => ({ name: 'save_file', args: { filename: 'tides.csv', content: 'hour,level\n12,high\n' } }),
  document: (url: string, label: string) => ({
    name: 'document_parse',
    args: { url: `${url}/document/${label}/a.txt` },
  }),
  page: (url: string, label: string) => ({ name: 'web_crawl', args: { url: `${url}/page/${label}/a.html` } }),
  search: (_: string, label: string) => ({ name: 'web_search', args: { query: `${label} tides` } }),
  image: (url: string, label: string) => ({
    name: 'vision',
    args: { imageUrl: `${url}/image/${label}/b.png`, question: `[${label} b]` },
  }),
  recording: (url: string, label: string) => ({
    name: 'audio_transcribe',
    args: { url: `${url}/recording/${label}/${label}--b.mp3` },
  }),
  unknown: () => ({ name: 'no_such_tool', args: {} }),
  wrong: () => ({ name: 'web_crawl', args: { address: 7 } }),
} satisfies Record<string, (url: string, label: string) => { name: string; args: object }>;

const calls = fc.constantFrom(...(Object.keys(callsOf) as (keyof typeof callsOf)[]));
const text = fc.option(fc.constantFrom('First a plan.', 'Now "this"\nand that.'), { nil: undefined });
const turn = (maxLength: number) =>
  fc.record({ text, calls: fc.array(calls, { minLength: 1, maxLength, size: 'max' }) });

export const plays: fc.Arbitrary<Play> = fc.record({
  turns: fc.array(turn(13), { minLength: 1, maxLength: 4 }),
  asks: fc.boolean(),
  checks: fc.array(turn(3), { maxLength: 2 }),
  isChanged: fc.boolean(),
  proof: fc.boolean(),
});

/** Scripts the models for a run of the play, and makes the body of its creation. */
export function scriptPlay(
  outside: Outside,
  label: string,
  { turns, asks, checks, isChanged, proof }: Play,
): object {
  const answerOf = ({ text, calls }: Turn): Answer => ({
    text,
    calls: calls.map((call) => callsOf[call](outside.url, label)),
  });
  const question = {
    name: 'request_input',
    args: { message: 'Which harbour?', expected: [{ name: 'harbour', description: 'Its name.' }] },
  };
  const answers: Answer[] = [
    ...turns.map(answerOf),
    ...(asks ? [{ calls: [question] }] : []),
    { text: `High water is at noon (${label}).` },
    ...checks.map(answerOf),
    { text: isChanged ? `NEW ANSWER: Low water is at six (${label}).` : 'ok' },
  ];
  outside.script(label, (number) => answers[number - 1] ?? { text: 'too many' });
  return { question: `Work [${label} run]`, proof };
}
