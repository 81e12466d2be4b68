import { setTimeout as wait } from 'node:timers/promises';
import { affordableModel } from '../affordable.ts';
import { type Books, type Entry, readBooks, readUsed, type Used } from '../books.ts';
import type { Check } from '../check.ts';
import { isFree, type Model } from '../model.ts';
import { showEuro } from '../money.ts';
import { must, Skipped } from '../outcome.ts';
import type { Scene } from '../scene.ts';
import { excerpt } from '../show.ts';
import { tally } from './runs.ts';

const atOnce = 100;
/** Enough for a model that thinks a little, and few enough that the credits cover a hundred reservations. */
const outputTokens = 500;
const settleMilliseconds = 30_000;

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
    if (isFree(model))
      throw new Skipped(
        `model ${model.id} is free, so that its charges prove nothing; name another with --model`,
      );
    const before = await readBooks(scene);
    const usedBefore = await readUsed(scene);
    const answers = await Promise.all(Array.from({ length: atOnce }, (_, i) => complete(scene, model.id, i)));
    const statuses = answers.map(({ status }) => status);
    const refused = answers.find(({ status }) => status !== 200);
    must(!refused, `they were answered ${tally(statuses)}: ${excerpt(refused?.text ?? '')}`);
    const prices = new Map(answers.map(({ requestId, usage }) => [requestId, priceOf(model, usage)]));
    const after = await whenSettled(scene, before, prices);
    const isElsewhere = hasNotMoved(before, after);
    const seen = isElsewhere ? 'an organisation pays for the account' : compare(before, after, prices);
    const used = compareUsage(usedBefore, await readUsed(scene), sumOf(prices.values()), isElsewhere);
    return `${used}; ${seen}`;
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

/** The price of an answer in nano-euro by its `usage`. A price of 1 EUR for a million tokens is 1,000 nano-euro a token. */
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

/** Reads the books until every charge is in them: a charge that met a busy account may be written later. */
async function whenSettled(scene: Scene, before: Books, prices: ReadonlyMap<string, number>): Promise<Books> {
  const known = new Set(before.entries.map(({ id }) => id));
  const giveUpAt = performance.now() + (scene.settleMilliseconds ?? settleMilliseconds);
  for (;;) {
    const books = await readBooks(scene, known);
    const own = books.entries.filter(({ requestId = '' }) => prices.has(requestId)).length;
    const settled = own >= prices.size && books.reserved <= before.reserved;
    if (settled || performance.now() > giveUpAt) return books;
    await wait(1_000);
  }
}

const sumOf = (amounts: Iterable<number>): number => [...amounts].reduce((sum, each) => sum + each, 0);

/** True for an account for which an organisation pays: the entries are then in the organisation's ledger. */
const hasNotMoved = (before: Books, after: Books): boolean =>
  after.entries.length === 0 && after.balance === before.balance && after.reserved === before.reserved;

/** Other work of the account may be charged meanwhile, so the sums may be larger than ours unless `mustBeAll`. */
function compareUsage(before: Used, after: Used, sum: number, mustBeAll: boolean): string {
  const fits = (more: number, ours: number) => (mustBeAll ? more === ours : more >= ours);
  const charges = after.charges - before.charges;
  must(fits(charges, atOnce), `${atOnce} answers have ${charges} charges in GET /v1/usage`);
  const more = after.nanoEuro - before.nanoEuro;
  const seen = `${atOnce} answers are worth ${showEuro(sum)} EUR`;
  must(fits(more, sum), `${seen}, GET /v1/usage has ${showEuro(more)} EUR more`);
  return `${seen}, by GET /v1/usage too`;
}

function compare(before: Books, after: Books, prices: ReadonlyMap<string, number>): string {
  const own = after.entries.filter(({ requestId = '' }) => prices.has(requestId));
  must(own.length === prices.size, `${prices.size} answers have ${own.length} entries in the ledger`);
  const charged = new Set(own.map(({ requestId }) => requestId));
  must(charged.size === prices.size, `${own.length} entries in the ledger are of ${charged.size} answers`);
  const wrong = own.find((entry) => -entry.nanoEuro !== priceIn(prices, entry));
  must(!wrong, wrong ? wordsOf(wrong, prices) : '');
  must(after.reserved <= before.reserved, `${showEuro(after.reserved)} EUR are still set aside`);
  const entered = sumOf(after.entries.map(({ nanoEuro }) => nanoEuro));
  const moved = after.balance - before.balance;
  must(
    moved === entered,
    `the balance moved by ${showEuro(moved)} EUR, its ledger by ${showEuro(entered)} EUR`,
  );
  return 'each has one entry, and the balance moved by the ledger';
}

const priceIn = (prices: ReadonlyMap<string, number>, { requestId = '' }: Entry): number =>
  prices.get(requestId) ?? 0;

const wordsOf = (entry: Entry, prices: ReadonlyMap<string, number>): string =>
  `an answer's usage is worth ${showEuro(priceIn(prices, entry))} EUR, its charge is ${showEuro(-entry.nanoEuro)} EUR`;
