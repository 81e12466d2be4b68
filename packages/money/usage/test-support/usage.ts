import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { toIso } from '@errand/platform';
import type { TestDynamo } from '../../../../test/support/dynamodb.ts';
import type { Charge, Payer } from '../../charge.ts';
import type { StoreDeps } from '../../deps.ts';
import { formatEuro } from '../../euro.ts';
import { type LedgerEntry, type LedgerOwner, ledgerOf } from '../../ledger.ts';
import { listAllEntries } from '../../list-entries.ts';
import type { UsageQuery } from '../report-usage.ts';

export const hour = 60 * 60 * 1000;

export const chargeOf = (payer: Payer, id: string, at: number, more: Partial<Charge> = {}): Charge => ({
  id,
  at: toIso(at),
  kind: 'completion',
  payer,
  model: 'writer',
  inputTokens: 100,
  cachedInputTokens: 40,
  outputTokens: 7,
  energy: 11,
  emissions: 13,
  amountNanoEuro: 1_000,
  ...more,
});

/** Writes entries as an earlier release did, so large that a page has few of them. */
export async function padLedger(
  { dynamodb, tables }: TestDynamo,
  accountId: string,
  { start, entries, everyMilliseconds }: { start: number; entries: number; everyMilliseconds: number },
): Promise<void> {
  const ledger = ledgerOf({ accountId });
  const puts = Array.from({ length: entries }, (_, i) => ({
    PutRequest: {
      Item: {
        pk: ledger,
        sk: `old-${i}`,
        ledger,
        at: toIso(start + i * everyMilliseconds),
        kind: 'completion',
        accountId,
        model: 'writer',
        inputTokens: 100,
        outputTokens: 7,
        amountNanoEuro: -5,
        padding: 'x'.repeat(100_000),
      },
    },
  }));
  for (let i = 0; i < puts.length; i += 25)
    await dynamodb.send(
      new BatchWriteCommand({ RequestItems: { [tables.accounts]: puts.slice(i, i + 25) } }),
    );
}

const writtenAt = (entry: LedgerEntry): string => entry.writtenAt ?? entry.at;

const readGroup = {
  day: (entry: LedgerEntry) => writtenAt(entry).slice(0, 10),
  hour: (entry: LedgerEntry) => `${writtenAt(entry).slice(0, 13)}:00:00.000Z`,
  key: (entry: LedgerEntry) => entry.keyId ?? null,
  model: (entry: LedgerEntry) => entry.model ?? null,
  kind: (entry: LedgerEntry) => entry.kind,
  skill: (entry: LedgerEntry) => entry.skill?.name ?? null,
};

/** What a report must say, summed up plainly over the whole ledger. */
export async function ledgerSums(deps: StoreDeps, owner: LedgerOwner, { from, to, groupBy }: UsageQuery) {
  const entries = (await listAllEntries(deps, owner)).filter((entry) => {
    const time = Date.parse(writtenAt(entry));
    return entry.kind !== 'credit' && from <= time && time < to;
  });
  const order = ['day', 'hour', 'key', 'model', 'kind', 'skill'] as const;
  const fields = order.filter((field) => groupBy.includes(field));
  const groups = Map.groupBy(entries, (entry) =>
    JSON.stringify(fields.map((field) => readGroup[field](entry) ?? '')),
  );
  const sum = (all: LedgerEntry[], name: keyof LedgerEntry) =>
    all.reduce((total, entry) => total + Number(entry[name] ?? 0), 0);
  return [...groups.keys()].sort().map((key) => {
    const all = groups.get(key) as [LedgerEntry];
    return {
      ...Object.fromEntries(fields.map((field) => [field, readGroup[field](all[0])])),
      amount: formatEuro(0 - sum(all, 'amountNanoEuro')),
      requests: all.length,
      inputTokens: sum(all, 'inputTokens'),
      cachedInputTokens: sum(all, 'cachedInputTokens'),
      outputTokens: sum(all, 'outputTokens'),
      seconds: sum(all, 'seconds'),
      energy: sum(all, 'energy'),
      emissions: sum(all, 'emissions'),
    };
  });
}
