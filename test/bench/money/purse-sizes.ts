import { newId, toSeconds } from '@errand/platform';
import { attributes, type Hold, holdAttribute, writeHold } from '../../../packages/accounts/purse/purse.ts';
import { itemKeys } from '../../../packages/accounts/store.ts';
import { printTable } from '../figures.ts';

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
