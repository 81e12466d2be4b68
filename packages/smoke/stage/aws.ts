import { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { delay } from '@errand/platform';

/** A stage, and the clients of AWS that can look at it. */
export interface StageDeps {
  stage: string;
  cloudfront: CloudFrontClient;
  cloudwatch: CloudWatchClient;
  logs: CloudWatchLogsClient;
  lambda: LambdaClient;
  wait(milliseconds: number): Promise<unknown>;
}

/** With the operator's own credentials. */
export const stageDeps = (stage: string, region: string): StageDeps => ({
  stage,
  cloudfront: new CloudFrontClient({ region }),
  cloudwatch: new CloudWatchClient({ region }),
  logs: new CloudWatchLogsClient({ region }),
  lambda: new LambdaClient({ region }),
  wait: (milliseconds) => delay(milliseconds, new AbortController().signal),
});

/** Whether SST has made a thing of this name for the stage: `errand-STAGE-NameInPascalCase-hash`. */
export const isOfStage = (name: string, stage: string): boolean =>
  name.startsWith(`errand-${stage}-`) && /^[A-Z]/.test(name.slice(`errand-${stage}-`.length));

const attempts = 20;
const pauseMilliseconds = 10_000;

/** Logs and metrics come minutes late: reads until nothing is missing any more, and resolves with what is. */
export async function untilComplete(
  deps: StageDeps,
  readMissing: () => Promise<string[]>,
): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    const missing = await readMissing();
    if (missing.length === 0 || attempt === attempts) return missing;
    await deps.wait(pauseMilliseconds);
  }
}
