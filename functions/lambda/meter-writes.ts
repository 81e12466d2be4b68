import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Log, runsPartitions } from '@errand/platform';

interface Write {
  Put?: { Item?: Record<string, unknown> };
  Update?: { ExpressionAttributeValues?: Record<string, unknown>; Key?: Record<string, unknown> };
}

/** Logs each charge that was committed and each run that ended. Failed writes and repeated charges are not logged. */
export function meterWrites(dynamodb: DynamoDBDocumentClient, log: Log): void {
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const { TransactItems } = args.input as { TransactItems?: Write[] };
      const result = await next(args);
      for (const write of TransactItems ?? []) meter(write, log);
      return result;
    },
    { step: 'initialize', priority: 'high', name: 'meterWrites' },
  );
}

const ended = new Set<unknown>(['succeeded', 'failed', 'awaiting_input']);

function meter({ Put, Update }: Write, log: Log): void {
  const entry = Put?.Item;
  if (String(entry?.pk).startsWith('LEDGER#') && typeof entry?.amountNanoEuro === 'number') {
    const { kind, model, accountId, runId, inputTokens, outputTokens, seconds } = entry;
    const fields = { kind, model, accountId, agentId: runId, inputTokens, outputTokens, seconds };
    log.info('charged', { ...(fields as object), charges: 1, amountNanoEuro: -entry.amountNanoEuro });
  }
  const status = Update?.ExpressionAttributeValues?.[':to'];
  if (ended.has(status)) {
    const agentId = String(Update?.Key?.pk).replace(runsPartitions.run, '');
    log.info('run ended', { agentId, status: String(status), runs: 1 });
  }
}
