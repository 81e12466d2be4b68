import { type Broken, changing, chat, everyTenth, instead, json, onPath, page, textAnswer } from './make.ts';

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
