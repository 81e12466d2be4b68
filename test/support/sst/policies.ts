import { tableDefinitions } from '@errand/platform';
import { type FunctionName, permissions } from '../../../infra/permissions.ts';
import type { Resource } from './made-up-cloud.ts';

/** A resource's name without app and stage, and the actions that are allowed on it. */
type NamedStatement = [string, readonly string[]];

interface Statement {
  Action: string[];
  Resource: string[];
  Effect: string;
}

/** The inline policy of a role, as text and as statements. Throws if there are several, or if a statement denies. */
export function policyOf(role: Resource['inputs']): { text: string; statements: NamedStatement[] } {
  const [policy, ...others] = role.inlinePolicies as { policy: string }[];
  if (policy === undefined || others.length > 0) throw new Error('not one inline policy');
  const { Statement: all } = JSON.parse(policy.policy) as { Statement: Statement[] };
  const statements = all.flatMap(({ Effect, Action, Resource: resources }) => {
    if (Effect !== 'Allow') throw new Error(`${Effect} ${Action}`);
    return resources.map((resource): NamedStatement => [nameOf(resource), Action]);
  });
  return { text: policy.policy, statements };
}

/** `arn:...:table/errand-STAGE-RunsTable-x/index/i` -> `RunsTable/index/i`. */
const nameOf = (arn: string): string =>
  arn
    .replace(/^arn:aws:logs:[a-z0-9-]+:\d+:log-group:\/errand\/[a-z]+\/(.*):\*$/, 'log of $1')
    .replace(/^.*[:/]errand-[a-z]+-(\w+)-[a-z]+/, '$1');

/** The statements that follow from a function's permissions in `infra/permissions.ts`, and the one for its log. */
export function expectedStatements(name: FunctionName): NamedStatement[] {
  const {
    tables,
    indexes = {},
    files = {},
    listFiles,
    queue,
    deadLetters,
    webhooks,
    converts,
  } = permissions[name];
  const tableName = (id: string) => `${tableDefinitions[id as keyof typeof tableDefinitions].name}Table`;
  const of = (service: string, actions: readonly string[]) => actions.map((action) => `${service}:${action}`);
  const expected: NamedStatement[] = [];
  for (const [id, actions] of Object.entries(tables)) expected.push([tableName(id), of('dynamodb', actions)]);
  for (const [id, byIndex] of Object.entries(indexes))
    for (const [index, actions] of Object.entries(byIndex))
      expected.push([`${tableName(id)}/index/${index}`, of('dynamodb', actions)]);
  for (const [prefix, actions] of Object.entries(files))
    expected.push([`filesbucket/${prefix}*`, of('s3', actions)]);
  if (listFiles) expected.push(['filesbucket', ['s3:ListBucket']]);
  if (queue) expected.push(['WorkQueue', of('sqs', queue)]);
  if (deadLetters) expected.push(['DeadLettersQueue', of('sqs', deadLetters)]);
  if (webhooks) expected.push(['WebhooksQueue', of('sqs', webhooks)]);
  if (converts)
    for (const called of ['ConverterHandlerFunction', 'ConverterHandlerFunction:*'])
      expected.push([called, ['lambda:InvokeFunction']]);
  expected.push([`log of ${name}`, ['logs:CreateLogStream', 'logs:PutLogEvents']]);
  return expected;
}
