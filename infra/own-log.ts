import type { FunctionName } from './permissions.ts';
import type { Settings } from './settings.ts';

export interface OwnLog {
  name: $util.Output<string>;
  /** Replaces AWS's managed policy, which lets a function write every log of the account. */
  permission: { actions: string[]; resources: $util.Input<string>[] };
}

export const nameOfLog = (name: string): string => `/${$app.name}/${$app.stage}/${name}`;

export const logDaysOf = ({ permanent }: Pick<Settings, 'permanent'>): 90 | 7 => (permanent ? 90 : 7);

/**
 * Makes a log that only the function of this name may write. SST would name the log after the deployed
 * function, whose name is not known before. The log's name here is known before, also to `sst diff`.
 */
export function createOwnLog(id: string, name: FunctionName, settings: Settings): OwnLog {
  const group = new aws.cloudwatch.LogGroup(`${id}Log`, {
    name: nameOfLog(name),
    retentionInDays: logDaysOf(settings),
  });
  return {
    name: group.name,
    permission: {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [$interpolate`${group.arn}:*`],
    },
  };
}
