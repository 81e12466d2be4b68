import { must } from './check.ts';
import { readEuro } from './money.ts';
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

/** What the account has, and its entries back to one of those that are known. */
export async function readBooks(scene: Scene, known: ReadonlySet<string> = new Set()): Promise<Books> {
  let page = await readPage(scene);
  const books = { balance: readEuro(page.balance), reserved: readEuro(page.reserved) };
  const entries: Entry[] = [];
  for (;;) {
    for (const { amount, ...entry } of page.entries) {
      if (known.has(entry.id)) return { ...books, entries };
      entries.push({ ...entry, nanoEuro: readEuro(amount) });
    }
    // Without an entry to look for, the newest page is enough.
    if (page.cursor === undefined || known.size === 0) return { ...books, entries };
    page = await readPage(scene, page.cursor);
  }
}

async function readPage(scene: Scene, cursor?: string): Promise<Page> {
  const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const answer = await scene.ask(`/v1/credits?limit=100${more}`);
  const page = await answer.json<Page>();
  must(answer.status === 200 && page !== undefined, `GET /v1/credits: ${answer.status}`);
  return page;
}

/** How many charges the account's own work has had today, whoever paid for them. */
export async function countCharges(scene: Scene): Promise<number> {
  const answer = await scene.ask('/v1/usage?groupBy=kind');
  const usage = await answer.json<{ rows: { requests: number }[] }>();
  must(answer.status === 200 && usage !== undefined, `GET /v1/usage: ${answer.status}`);
  return usage.rows.reduce((sum, { requests }) => sum + requests, 0);
}
