import { setTimeout as wait } from 'node:timers/promises';
import { affordableModel } from '../affordable.ts';
import { type Books, countCharges, type Entry, readBooks } from '../books.ts';
import { type Check, Failed, must } from '../check.ts';
import type { Model } from '../model.ts';
import { showEuro } from '../money.ts';
import type { Scene } from '../scene.ts';
import { excerpt } from '../show.ts';
import { tally } from './runs.ts';

const atOnce = 100;
/** Enough for a model that thinks a little, and little enough to be set aside a hundred times. */
const outputTokens = 500;
const settleSeconds = 30;

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  prompt_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number };
}

export const charges: Check = {
  name: `${atOnce} charges at once`,
  async run(scene) {
    const work = { inputTokens: 100, outputTokens, times: atOnce };
    const model = await affordableModel(scene, work, 'charges');
    const before = await readBooks(scene);
    const countBefore = await countCharges(scene);
    const answers = await Promise.all(Array.from({ length: atOnce }, (_, i) => complete(scene, model.id, i)));
    const statuses = answers.map(({ status }) => status);
    const refused = answers.find(({ status }) => status !== 200);
    must(!refused, `they were answered ${tally(statuses)}: ${excerpt(refused?.text ?? '')}`);
    const prices = new Map(answers.map(({ requestId, usage }) => [requestId, priceOf(model, usage)]));
    const after = await whenSettled(scene, before, prices);
    const own = after.entries.filter(({ requestId = '' }) => prices.has(requestId));
    if (own.length === 0) return countOnly(scene, countBefore);
    return compare(before, after, own, prices);
  },
};

async function complete(scene: Scene, model: string, i: number) {
  const requestId = `${scene.id}-charge-${i}`;
  const answer = await scene.ask('/v1/chat/completions', {
    method: 'POST',
    headers: { 'X-Request-Id': requestId },
    json: {
      model,
      max_completion_tokens: outputTokens,
      messages: [{ role: 'user', content: 'Answer with one word: ok' }],
    },
  });
  const text = await answer.text();
  const usage = answer.status === 200 ? (JSON.parse(text) as { usage: Usage }).usage : undefined;
  return { requestId, status: answer.status, text, usage };
}

/** The price of an answer in nano-euro, by what it says of itself: a price for a million tokens is 1,000 nano-euro a token. */
function priceOf({ pricing }: Model, usage: Usage | undefined): number {
  if (usage === undefined) return 0;
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0 } = usage.prompt_tokens_details ?? {};
  const input = Number(pricing.inputPerMillionTokens ?? 0);
  const price = (name: string) => Number(pricing[name] ?? input);
  const plain = usage.prompt_tokens - cached - written;
  const total =
    plain * input +
    cached * price('cachedInputPerMillionTokens') +
    written * price('cacheWritePerMillionTokens') +
    usage.completion_tokens * Number(pricing.outputPerMillionTokens ?? 0);
  return Math.round(Number((total * 1_000).toFixed(3)));
}

/** Reads the books until every charge is in them: one that met a busy account may be written later. */
async function whenSettled(scene: Scene, before: Books, prices: ReadonlyMap<string, number>): Promise<Books> {
  const known = new Set(before.entries.map(({ id }) => id));
  const giveUpAt = performance.now() + settleSeconds * 1000;
  for (;;) {
    const books = await readBooks(scene, known);
    const own = books.entries.filter(({ requestId = '' }) => prices.has(requestId)).length;
    const settled = own >= prices.size && books.reserved <= before.reserved;
    if (settled || performance.now() > giveUpAt) return books;
    await wait(1_000);
  }
}

function compare(
  before: Books,
  after: Books,
  own: readonly Entry[],
  prices: ReadonlyMap<string, number>,
): string {
  must(own.length === prices.size, `${prices.size} answers have ${own.length} entries in the ledger`);
  const wrong = own.find(({ requestId = '', nanoEuro }) => -nanoEuro !== prices.get(requestId));
  const said = showEuro(prices.get(wrong?.requestId ?? '') ?? 0);
  must(
    !wrong,
    `an answer's usage is worth ${said} EUR, its charge is ${showEuro(-(wrong?.nanoEuro ?? 0))} EUR`,
  );
  must(after.reserved <= before.reserved, `${showEuro(after.reserved)} EUR are still set aside`);
  const entered = after.entries.reduce((sum, { nanoEuro }) => sum + nanoEuro, 0);
  const moved = after.balance - before.balance;
  must(
    moved === entered,
    `the balance moved by ${showEuro(moved)} EUR, its ledger by ${showEuro(entered)} EUR`,
  );
  const sum = [...prices.values()].reduce((total, price) => total + price, 0);
  return `${own.length} answers and entries, ${showEuro(sum)} EUR, which the balance has less`;
}

/** An organisation that pays for the account keeps the entries. */
async function countOnly(scene: Scene, before: number): Promise<string> {
  const counted = (await countCharges(scene)) - before;
  if (counted !== atOnce) throw new Failed(`${atOnce} answers have ${counted} charges in GET /v1/usage`);
  return `${atOnce} answers and charges in GET /v1/usage; an organisation pays for the account`;
}
