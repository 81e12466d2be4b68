import { attributes, type Hold, holdAttribute, itemKeys, writeHold } from '@errand/money/testing';
import { newId, toSeconds } from '@errand/platform';
import { printTable, table } from '../figures.ts';

/** AWS's limit of a partition key, which no quota raises, and that of an item. */
const writeUnitsPerSecond = 1_000;
const largestItemBytes = 400 * 1024;

/** What AWS's limits make of an account whose calls are let in and settled one by one, by the number of calls in work. */
export function measurePurse(): void {
  const rows = [0, 16, 100, 600, 1_000, 2_000, 4_000].map((holds) => {
    const [plain, withBudget] = [sizeOf(holds, false), sizeOf(holds, true)];
    return [holds, ...describe(plain), ...describe(withBudget)];
  });
  console.log('\nThe purse of an account, and its calls a second by the units that its writes take:\n');
  const heads = ['bytes', 'units: let in + settle', 'calls a second'];
  printTable(['calls in work', ...heads, ...heads.map((head) => `${head}, key with a budget`)], rows);
}

const kilobytesOf = (holds: number, withBudget: boolean): number =>
  Math.ceil(sizeOf(holds, withBudget) / 1024);

/** The most calls in work for which something holds that holds for fewer too. */
function mostCalls(holds: (calls: number) => boolean): number {
  let [less, more] = [0, 20_000];
  while (more - less > 1) {
    const middle = Math.floor((less + more) / 2);
    if (holds(middle)) less = middle;
    else more = middle;
  }
  return less;
}

/** The most calls of so many seconds at the same time by the units of their purse, to tens. */
const mostOf = (seconds: number, renewals: number, withBudget: boolean): number =>
  10 *
  Math.round(
    mostCalls((calls) => {
      const kilobytes = kilobytesOf(calls, withBudget);
      return (calls / seconds) * (3 * kilobytes + renewals * (kilobytes + 1)) <= writeUnitsPerSecond;
    }) / 10,
  );

/** How the purse of an account grows with its calls in work, and what that allows. */
export function purseTable(): string {
  const perSecond = (kilobytes: number) => {
    const calls = writeUnitsPerSecond / (3 * kilobytes);
    return calls < 20 ? calls.toFixed(1) : calls.toFixed(0);
  };
  const small = mostCalls((calls) => kilobytesOf(calls, false) === 1);
  const rows = [small, 100, 600, 1_000].map((calls) => {
    const kilobytes = kilobytesOf(calls, false);
    return [
      calls === small ? `up to ${small}` : calls.toLocaleString('en'),
      `${kilobytes} KB`,
      `${kilobytes} + ${2 * kilobytes}`,
      perSecond(kilobytes),
      perSecond(kilobytesOf(calls, true)),
    ];
  });
  const [streams, calls] = [mostOf(20, 1, false), mostOf(2, 0, false)];
  const largest = (withBudget: boolean) =>
    (
      100 * Math.floor(mostCalls((count) => sizeOf(count, withBudget) <= largestItemBytes) / 100)
    ).toLocaleString('en');
  return [
    table(
      [
        'calls in work at the same time',
        'purse',
        'units of a call',
        'calls a second by its units',
        'the same, key with a budget',
      ],
      rows,
    ),
    `So an account may have about ${streams} streams of 20 s in work (each is renewed once), ${mostOf(20, 1, true)} with a budget, or ${calls} calls of 2 s, ${mostOf(2, 0, true)} with a budget. At some ${largest(false)} calls in work (${largest(true)} with a budget) the item would outgrow DynamoDB's 400 KB.`,
  ].join('\n\n');
}

function describe(bytes: number): (string | number)[] {
  if (bytes > largestItemBytes) return [bytes, 'larger than an item may be', 0];
  const kilobytes = Math.ceil(bytes / 1024);
  const perSecond = writeUnitsPerSecond / (kilobytes + 2 * kilobytes);
  return [
    bytes,
    `${kilobytes} + ${2 * kilobytes}`,
    perSecond < 10 ? perSecond.toFixed(1) : perSecond.toFixed(0),
  ];
}

/** Names and texts count their bytes, a number half a byte for each digit and one more. */
function sizeOf(holds: number, withBudget: boolean): number {
  const nowSeconds = toSeconds(Date.now());
  const budget = `${attributes.budget}${newId('key')}|2026-11`;
  const hold: Hold = {
    untilSeconds: nowSeconds,
    nanoEuro: 8_212_000,
    ...(withBudget && { budget: { name: budget, nanoEuro: 8_212_000 } }),
  };
  const item: Record<string, string | number> = {
    ...itemKeys.balance(newId('account')),
    [attributes.balance]: 123_456_789_000,
    [attributes.available]: 123_456_789_000,
    [`${attributes.window}${nowSeconds}`]: 600,
    ...(withBudget && { [budget]: 8_212_000_000 }),
  };
  for (let i = 0; i < holds; i++) item[holdAttribute(newId('hold'))] = writeHold(hold);
  return Object.entries(item).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);
}

const bytesOf = (value: string | number): number =>
  typeof value === 'string' ? value.length : Math.ceil(String(value).length / 2) + 1;
