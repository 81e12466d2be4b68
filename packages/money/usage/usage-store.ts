import {
  ConditionsFailed,
  type Item,
  limits,
  putItem,
  queryPages,
  scanPages,
  toSeconds,
} from '@errand/platform';
import type { StoreDeps, TimedStoreDeps } from '../deps.ts';
import { hoursPerDay, toDay } from './times.ts';

/**
 * The item of a day that is rolled up, wholly or in part. It has the first part of the day's sums; further parts, and those
 * of the hours' sums, are items that are found by its digest.
 */
export interface StoredDay {
  /** The hours that are rolled up are those before this one: 24 if the day is whole. */
  untilHour: number;
  digest: string;
  dayParts: number;
  hoursParts: number;
}

type Kind = 'DAY' | 'HOURS';

const partitionOf = (ledger: string): string => `USAGE#${ledger}`;
const dayKey = (kind: Kind, day: number): string => `${kind}#${toDay(day)}`;
const partKey = (kind: Kind, day: number, digest: string, part: number): string =>
  [dayKey(kind, day), digest, String(part).padStart(4, '0')].join('#');
/** Sorts behind the keys of a day's parts, and before the next day. */
const behindParts = '$';

/** By the digest of the day, in their order. */
type Parts = Map<string, Uint8Array[]>;

/** The roll-ups of the days from the first to the last, with the parts of their days' sums. */
export async function readDays(
  deps: StoreDeps,
  ledger: string,
  [first, last]: readonly [number, number],
): Promise<{ days: Map<string, StoredDay>; parts: Parts }> {
  const days = new Map<string, StoredDay>();
  const parts: Parts = new Map();
  for await (const page of queryParts(deps, ledger, 'DAY', first, last))
    for (const item of page) {
      if ('untilHour' in item) days.set(String(item.sk).slice(dayKeyStart), item as unknown as StoredDay);
      addPart(parts, item);
    }
  return { days, parts };
}

const dayKeyStart = 'DAY#'.length;

/** The parts of the hours' sums of the days from the first to the last. */
export async function readHours(
  deps: StoreDeps,
  ledger: string,
  [first, last]: readonly [number, number],
): Promise<Parts> {
  const parts: Parts = new Map();
  for await (const page of queryParts(deps, ledger, 'HOURS', first, last))
    for (const item of page) addPart(parts, item);
  return parts;
}

function addPart(parts: Parts, { digest, part }: Item): void {
  const known = parts.get(String(digest));
  if (known) known.push(part as Uint8Array);
  else parts.set(String(digest), [part as Uint8Array]);
}

const queryParts = (
  { dynamodb, tables }: StoreDeps,
  ledger: string,
  kind: Kind,
  first: number,
  last: number,
) =>
  queryPages(
    { dynamodb },
    {
      TableName: tables.accounts,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': partitionOf(ledger),
        ':first': dayKey(kind, first),
        ':last': `${dayKey(kind, last)}${behindParts}`,
      },
    },
  );

interface NewDay {
  untilHour: number;
  digest: string;
  dayParts: readonly Uint8Array[];
  hoursParts: readonly Uint8Array[];
}

/**
 * Stores the roll-up of a day in the place of the one with the digest `before`. False if another roll-up is stored
 * by now: another process was faster. The parts are written first, so that no reader finds a day without them. A
 * day that is not whole yet expires: it is replaced by the next one.
 */
export async function writeDay(
  deps: TimedStoreDeps,
  ledger: string,
  day: number,
  { untilHour, digest, dayParts, hoursParts }: NewDay,
  before: string | undefined,
): Promise<boolean> {
  const TableName = deps.tables.accounts;
  const pk = partitionOf(ledger);
  const expires = untilHour < hoursPerDay && {
    expiresAtSeconds: toSeconds(deps.clock()) + limits.rollUpKeptSeconds,
  };
  const [first, ...more] = dayParts;
  const parts = [
    ...more.map((part, i) => ({ sk: partKey('DAY', day, digest, i + 1), part })),
    ...hoursParts.map((part, i) => ({ sk: partKey('HOURS', day, digest, i), part })),
  ];
  for (const { sk, part } of parts)
    await putItem(deps, { TableName, Item: { pk, sk, digest, part, ...expires } });
  const stored: StoredDay = { untilHour, digest, dayParts: dayParts.length, hoursParts: hoursParts.length };
  try {
    await putItem(deps, {
      condition: 'roll-up-unchanged',
      TableName,
      Item: { pk, sk: dayKey('DAY', day), ...stored, part: first, ...expires },
      ...(before === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'digest = :before', ExpressionAttributeValues: { ':before': before } }),
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionsFailed) return false;
    throw error;
  }
}

/** The ledgers that have roll-ups. Reads the whole table. */
export async function* rolledLedgers(deps: StoreDeps): AsyncGenerator<string> {
  const prefix = partitionOf('');
  const pages = scanPages<{ pk: string }>(deps, {
    TableName: deps.tables.accounts,
    FilterExpression: 'begins_with(pk, :prefix) AND attribute_exists(untilHour)',
    ProjectionExpression: 'pk',
    ExpressionAttributeValues: { ':prefix': prefix },
  });
  // Items of one ledger follow each other.
  let last: string | undefined;
  for await (const page of pages)
    for (const { pk } of page) {
      if (pk !== last) yield pk.slice(prefix.length);
      last = pk;
    }
}
