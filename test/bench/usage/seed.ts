import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { toIso } from '@errand/platform';
import type { TestDynamo } from '../../support/dynamodb.ts';

const batchEntries = 25;
const batchesAtOnce = 8;

const pick = <T>(all: readonly T[], i: number): T => all[i % all.length] as T;

const models = ['writer', 'thinker', 'seer', 'judge'];
const skills = ['brief', 'formal', 'translator', undefined, undefined];

/** An entry as large as a completion's, of one of many keys, models and skills. */
function entryOf(accountId: string, i: number, at: number) {
  const skill = pick(skills, Math.floor(i / 7));
  const ledger = `LEDGER#${accountId}`;
  return {
    pk: ledger,
    sk: `chat_${crypto.randomUUID()}`,
    ledger,
    at: toIso(at),
    kind: 'completion',
    accountId,
    model: pick(models, i),
    requestId: crypto.randomUUID(),
    keyId: `key_${i % 5}`,
    ...(skill && { skill: { id: `skill_${skill}`, name: skill, version: 1 } }),
    inputTokens: 1_200 + (i % 300),
    cachedInputTokens: 400,
    outputTokens: 250 + (i % 90),
    price: { inputPerMillionTokens: 0.4, cachedInputPerMillionTokens: 0.1, outputPerMillionTokens: 1.6 },
    upstream: 'models.example/writer',
    energy: 105_000 + i,
    emissions: 7_379 + i,
    amountNanoEuro: -(800_000 + (i % 1_000)),
  };
}

/** Writes entries that are spread evenly over the time. */
export async function seedLedger(
  { dynamodb, tables }: Pick<TestDynamo, 'dynamodb' | 'tables'>,
  accountId: string,
  { from, to, entries }: { from: number; to: number; entries: number },
): Promise<void> {
  const timeOf = (i: number) => from + Math.floor(((to - from) * i) / entries);
  let next = 0;
  const write = async () => {
    while (next < entries) {
      const first = next;
      next += batchEntries;
      const items = Array.from({ length: Math.min(batchEntries, entries - first) }, (_, i) =>
        entryOf(accountId, first + i, timeOf(first + i)),
      );
      const requests = items.map((Item) => ({ PutRequest: { Item } }));
      await dynamodb.send(new BatchWriteCommand({ RequestItems: { [tables.accounts]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, write));
}
