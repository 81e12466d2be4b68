import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { type Message, textOf } from '../policy/conversation.ts';

export interface Kept {
  status: number;
  body: string;
}

/** Answers of models, in a file. The addresses of one run of the evaluation stand there as names, so that they fit another. */
export interface Tape {
  /** The kept answer to a request; undefined while recording. Throws if the tape has none. */
  take(request: string): Kept | undefined;
  keep(request: string, answer: Kept): void;
  /** Writes what was kept. */
  save(): Promise<void>;
  /** How many answers were taken for requests that are not what they were when the answers were kept. */
  changed(): number;
}

interface Entry extends Kept {
  /** Of the request, without what differs from run to run. */
  digest: string;
}

type Names = Readonly<Record<string, string>>;

/** Entries stand under the question and the number of its completion, so that a change of the prompt does not make a tape useless. */
export async function openTape(
  how: { record?: string; replay?: string },
  names: Names,
): Promise<Tape | undefined> {
  const file = how.replay ?? how.record;
  if (file === undefined) return undefined;
  const entries: Record<string, Entry> =
    how.replay === undefined ? {} : (JSON.parse(await readFile(file, 'utf8')) as Record<string, Entry>);
  const counts = new Map<string, number>();
  let changed = 0;
  /** Requests are known by their question and their number, counted when they come. */
  const nextKey = (request: string): string => {
    const question = questionOf(request, names);
    const number = (counts.get(question) ?? 0) + 1;
    counts.set(question, number);
    return `${number} ${question}`;
  };
  return {
    take(request) {
      if (how.replay === undefined) return undefined;
      const key = nextKey(request);
      const entry = entries[key];
      if (!entry) throw new Error(`The recording has no answer ${key.slice(0, 120)}`);
      if (entry.digest !== digestOf(request, names)) changed++;
      return { status: entry.status, body: put(entry.body, names) };
    },
    keep(request, { status, body }) {
      if (how.record === undefined) return;
      const key = nextKey(request);
      entries[key] = { digest: digestOf(request, names), status, body: named(body, names) };
    },
    async save() {
      if (how.record !== undefined) await writeFile(how.record, `${JSON.stringify(entries, null, 1)}\n`);
    },
    changed: () => changed,
  };
}

function questionOf(request: string, names: Names): string {
  const { messages } = JSON.parse(request) as { messages: Message[] };
  const opening = textOf(messages.find(({ role }) => role === 'user') ?? { role: 'user' });
  return named(opening.split('\n\n')[0] ?? '', names);
}

/** Links to files carry a time and a signature, calls ids, and prompts the day. */
const digestOf = (request: string, names: Names): string =>
  createHash('sha256')
    .update(
      named(request, names)
        .replaceAll(/\/v1\/files\/[^\s"\\]+/g, '/v1/files/')
        .replaceAll(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, 'DATE')
        .replaceAll(/"(?:tool_call_)?id":"[^"]*"/g, '"id":""'),
    )
    .digest('hex')
    .slice(0, 16);

const named = (text: string, names: Names): string =>
  Object.entries(names).reduce((all, [name, address]) => all.replaceAll(address, name), text);

const put = (text: string, names: Names): string =>
  Object.entries(names).reduce((all, [name, address]) => all.replaceAll(name, address), text);
