import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountsDeps } from '@errand/accounts';
import type { Clock, Log, Sealer, TableNames } from '@errand/platform';
import type { WebDeps } from '@errand/web';

export interface WebhookStoreDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  clock: Clock;
}

/** For rooms that tell of events: an event is stored, and its sending is queued. */
export interface OutboxDeps extends WebhookStoreDeps {
  sqs: SQSClient;
  webhookQueueUrl: string;
}

/** For the routes that manage endpoints. */
export interface WebhookRoutesDeps extends OutboxDeps {
  accounts: AccountsDeps;
  log: Log;
  /** Encrypts the secrets of endpoints. */
  sealer: Sealer;
  web: Pick<WebDeps, 'allowedHosts'>;
}

/** For sending what is queued. */
export interface SenderDeps extends OutboxDeps {
  log: Log;
  sealer: Sealer;
  web: WebDeps;
  /** Aborts when the process ends: what is being sent then is sent again later. */
  stopping?: AbortSignal;
  /** How long a receiver may take. For tests; the limit by default. */
  receiverMilliseconds?: number;
}
