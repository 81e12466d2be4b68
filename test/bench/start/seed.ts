import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localTableNames, toIso } from '@errand/platform';

const batchItems = 25;
const batchesAtOnce = 8;
const eventsOfRun = 8;

const text = (bytes: number): string =>
  'a word of a text that is kept. '.repeat(Math.ceil(bytes / 31)).slice(0, bytes);

/** The items of a run that is over: about 40 KB. */
function* itemsOfRun(i: number, now: number): Generator<Record<string, unknown>> {
  const agentId = crypto.randomUUID();
  const expiresAtSeconds = Math.floor(now / 1000) + 86_400;
  const key = { pk: `RUN#${agentId}`, expiresAtSeconds };
  const times = { createdAt: toIso(now), updatedAt: toIso(now), expiresAt: toIso(now + 86_400_000) };
  yield {
    ...key,
    ...times,
    sk: 'RUN',
    agentId,
    keyId: `key_${i % 50}`,
    status: 'succeeded',
    payer: { accountId: 'account_runs' },
    lastEventId: eventsOfRun,
    result: text(2_000),
    deaths: 0,
    sentAtMilliseconds: now,
    inputTokens: 1_000,
    outputTokens: 100,
    audioSeconds: 0,
    amountNanoEuro: 1_000,
  };
  yield { ...key, sk: 'INPUT', text: text(8_000) };
  yield { ...key, sk: 'STATE', text: text(16_000) };
  for (let id = 1; id <= eventsOfRun; id++)
    yield { ...key, sk: `EVENT#${String(id).padStart(10, '0')}`, id, text: text(1_500) };
  yield { pk: `KEY#key_${i % 50}`, sk: `${times.createdAt}#${agentId}`, agentId, expiresAtSeconds };
}

/** Writes runs that are over. */
export async function seedRuns(dynamodb: DynamoDBDocumentClient, runs: number): Promise<void> {
  const now = Date.now();
  let next = 0;
  const write = async () => {
    while (next < runs) {
      const items = [...itemsOfRun(next++, now)];
      for (let at = 0; at < items.length; at += batchItems)
        await dynamodb.send(
          new BatchWriteCommand({
            RequestItems: {
              [localTableNames.runs]: items
                .slice(at, at + batchItems)
                .map((Item) => ({ PutRequest: { Item } })),
            },
          }),
        );
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, write));
}
