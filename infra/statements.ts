import type { TableId } from '@errand/platform';
import type { Permissions } from './permissions.ts';
import type { Stores } from './stores.ts';

interface Statement {
  actions: string[];
  resources: $util.Input<string>[];
}

/** Turns permissions into IAM statements: one for each table, index, prefix and queue, and for the converter's versions. */
export function toStatements(
  permissions: Permissions,
  { tables, queue, files }: Stores,
  converter?: sst.aws.Function,
): Statement[] {
  const { tables: byTable, indexes = {}, files: byPrefix = {} } = permissions;
  const statements: Statement[] = [];
  const allow = (service: string, actions: readonly string[], resource: $util.Input<string>) =>
    statements.push({ actions: actions.map((action) => `${service}:${action}`), resources: [resource] });
  for (const [id, actions] of Object.entries(byTable)) allow('dynamodb', actions, tables[id as TableId].arn);
  for (const [id, byIndex] of Object.entries(indexes)) {
    for (const [index, actions] of Object.entries(byIndex))
      allow('dynamodb', actions, $interpolate`${tables[id as TableId].arn}/index/${index}`);
  }
  for (const [prefix, actions] of Object.entries(byPrefix))
    allow('s3', actions, $interpolate`${files.arn}/${prefix}*`);
  if (permissions.listFiles) allow('s3', ['ListBucket'], files.arn);
  if (permissions.queue) allow('sqs', permissions.queue, queue.work.arn);
  if (permissions.deadLetters) allow('sqs', permissions.deadLetters, queue.deadLetters.arn);
  if (permissions.webhooks) allow('sqs', permissions.webhooks, queue.webhooks.arn);
  // By version; and by its name alone, as live development and releases without versions call it.
  if (permissions.converts && converter)
    for (const arn of [converter.arn, $interpolate`${converter.arn}:*`])
      allow('lambda', ['InvokeFunction'], arn);
  return statements;
}
