import type { FunctionName } from './permissions.ts';
import type { Settings } from './settings.ts';

export interface OwnLog {
  name: $util.Output<string>;
  /** Replaces AWS's managed policy, which lets a function write every log of the account. */
  permission: { actions: string[]; resources: $util.Input<string>[] };
}

/**
 * Makes a log that only the function of this name may write. SST would name the log after the deployed
 * function, whose name is not known before. The log's name here is known before, also to `sst diff`.
 */
export function createOwnLog(id: string, name: FunctionName, { permanent }: Settings): OwnLog {
  const group = new aws.cloudwatch.LogGroup(`${id}Log`, {
    name: `/${$app.name}/${$app.stage}/${name}`,
    retentionInDays: permanent ? 90 : 7,
  });
  return {
    name: group.name,
    permission: {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [$interpolate`${group.arn}:*`],
    },
  };
}
