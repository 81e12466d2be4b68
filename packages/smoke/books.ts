import { readEuro } from './money.ts';
import { Failed, must } from './outcome.ts';
import type { Scene } from './scene.ts';

export interface Entry {
  id: string;
  requestId?: string;
  kind: string;
  nanoEuro: number;
}

export interface Books {
  balance: number;
  reserved: number;
  /** The newest entries. */
  entries: Entry[];
}

interface Page {
  balance: string;
  reserved: string;
  entries: { id: string; requestId?: string; kind: string; amount: string }[];
  cursor?: string;
}

/** More pages than the entries fill that the checks and other users of the account write meanwhile. */
const mostPages = 50;

/** The balance of the account, and its entries back to the first known entry. Throws `Failed` if the pages do not end. */
export async function readBooks(scene: Scene, known: ReadonlySet<string> = new Set()): Promise<Books> {
  let books: Omit<Books, 'entries'> | undefined;
  const entries: Entry[] = [];
  for await (const page of readPages<Page>(scene, '/v1/credits?limit=100')) {
    books ??= { balance: readEuro(page.balance), reserved: readEuro(page.reserved) };
    for (const { amount, ...entry } of page.entries) {
      if (known.has(entry.id)) return { ...books, entries };
      entries.push({ ...entry, nanoEuro: readEuro(amount) });
    }
    // Without an entry to look for, the newest page is enough.
    if (known.size === 0) break;
  }
  return { balance: 0, reserved: 0, ...books, entries };
}

/** The pages of a list, one after the other. Throws `Failed` if the pages do not end. */
export async function* readPages<T extends { cursor?: string }>(
  scene: Scene,
  path: string,
): AsyncGenerator<T> {
  const [name] = path.split('?');
  let cursor: string | undefined;
  for (let count = 1; count <= mostPages; count++) {
    const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await scene.ask(`${path}${more}`);
    const page = await answer.json<T>();
    must(answer.status === 200 && page !== undefined, `GET ${name}: ${answer.status}`);
    yield page;
    cursor = page.cursor;
    if (cursor === undefined) return;
  }
  throw new Failed(`GET ${name}: a cursor to go on after ${mostPages} pages`);
}

/** The charges for the account's own work today, whoever paid for the work. */
export interface Used {
  charges: number;
  nanoEuro: number;
}

export async function readUsed(scene: Scene): Promise<Used> {
  const answer = await scene.ask('/v1/usage?groupBy=kind');
  const usage = await answer.json<{ rows: { requests: number; amount: string }[] }>();
  must(answer.status === 200 && usage !== undefined, `GET /v1/usage: ${answer.status}`);
  return {
    charges: usage.rows.reduce((sum, { requests }) => sum + requests, 0),
    nanoEuro: usage.rows.reduce((sum, { amount }) => sum + readEuro(amount), 0),
  };
}
