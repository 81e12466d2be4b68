import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Log } from '@errand/platform';

interface Write {
  Put?: { Item?: Record<string, unknown> };
}

/** Logs each charge that was committed. Failed writes and repeated charges are not logged. */
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

function meter({ Put }: Write, log: Log): void {
  const entry = Put?.Item;
  if (!String(entry?.pk).startsWith('LEDGER#') || typeof entry?.amountNanoEuro !== 'number') return;
  const { kind, model, accountId, runId, inputTokens, outputTokens, seconds } = entry;
  const fields = { kind, model, accountId, agentId: runId, inputTokens, outputTokens, seconds };
  log.info('charged', { ...(fields as object), amountNanoEuro: -entry.amountNanoEuro });
}
