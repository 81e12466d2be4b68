import { type Broken, changing, chat, everyTenth, instead, json, onPath, page, textAnswer } from './make.ts';

interface Entry {
  requestId?: string;
  amount: string;
}

const rowsOf = ({ rows }: Record<string, unknown>, change: object): object[] =>
  (rows as object[]).map((row) => ({ ...row, ...change }));

export const charges: readonly Broken[] = [
  {
    what: 'repeats a POST',
    check: '100 charges at once',
    seen: /100 answers have 200 entries/,
    breakage: () => ({ times: (sent) => (chat(sent) ? 2 : 1) }),
  },
  {
    what: 'is out of capacity for every tenth of many requests',
    check: '100 charges at once',
    seen: /90 x 200, 10 x 503/,
    breakage: () => everyTenth(chat, textAnswer(503, page)),
  },
  {
    what: 'charges other tokens than its answers say',
    check: '100 charges at once',
    seen: /an answer's usage is worth .* its charge is/,
    breakage: () =>
      changing(chat, (a) =>
        json(a, ({ usage, ...rest }) => ({
          ...rest,
          usage: { ...(usage as object), completion_tokens: 1_000 },
        })),
      ),
  },
  {
    what: 'has a balance that does not agree with its ledger',
    check: '100 charges at once',
    seen: /the balance moved by/,
    breakage: () => {
      let reads = 0;
      return changing(onPath(/^\/v1\/credits\?/), (a) =>
        json(a, (page) => ({ ...page, balance: reads++ === 0 ? '5' : page.balance })),
      );
    },
  },
  {
    what: 'has other amounts in its usage than in its ledger',
    check: '100 charges at once',
    seen: /100 answers are worth .* EUR, GET \/v1\/usage has 0 EUR more/,
    breakage: () =>
      changing(onPath(/^\/v1\/usage/), (a) =>
        json(a, (page) => ({ ...page, rows: rowsOf(page, { amount: '0' }) })),
      ),
  },
  {
    what: 'charges one answer twice, and another never',
    check: '100 charges at once',
    seen: /100 entries in the ledger are of 99 answers/,
    breakage: () =>
      changing(onPath(/^\/v1\/credits\?/), (a) =>
        json(a, ({ entries, ...page }) => {
          const own = (entries as Entry[]).filter(({ requestId = '' }) => /-charge-\d+$/.test(requestId));
          const [first, second] = own;
          if (first && second) Object.assign(first, { requestId: second.requestId });
          return { ...page, entries };
        }),
      ),
  },
  {
    what: 'charges seven times as much, and does not say for which answers',
    check: '100 charges at once',
    hidesCharges: true,
    seen: /100 answers have 0 entries/,
    breakage: () =>
      changing(onPath(/^\/v1\/credits\?/), (a) =>
        json(a, ({ entries, ...page }) => ({
          ...page,
          entries: (entries as Entry[]).map(({ requestId: _, amount, ...entry }) => ({
            ...entry,
            amount: (7 * Number(amount)).toFixed(9),
          })),
        })),
      ),
  },
  {
    what: 'has a ledger without an end',
    check: 'the cost',
    seen: /a cursor to go on after 50 pages/,
    breakage: () =>
      instead(
        onPath(/^\/v1\/credits\/entries/),
        textAnswer(200, '{"entries":[],"cursor":"a"}', 'application/json'),
      ),
  },
  {
    what: 'has no ledger',
    check: 'the cost',
    seen: /GET \/v1\/credits\/entries: 500/,
    breakage: () => instead(onPath(/^\/v1\/credits\/entries/), textAnswer(500, page)),
  },
  {
    what: 'writes amounts with a comma',
    check: 'the cost',
    seen: /an amount is "-?0,\d+"/,
    breakage: () =>
      changing(onPath(/^\/v1\/credits\/entries/), (a) => ({
        ...a,
        body: Buffer.from(a.body.toString().replaceAll(/("amount":"-?\d+)\./g, '$1,')),
      })),
  },
];
