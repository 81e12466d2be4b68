import { Failed } from '../outcome.ts';
import type { StageDeps } from './aws.ts';
import { addressOf } from './distribution.ts';

/** Where callers reach the stage. Throws `Failed` with the region that was asked, and what to do. */
export async function addressOfStage(deps: StageDeps, region: string): Promise<string> {
  try {
    return await addressOf(deps);
  } catch (error) {
    const looked = `The stage ${deps.stage} was looked for in ${region}`;
    if (error instanceof Error && error.name === 'CredentialsProviderError')
      throw new Failed(
        `${looked}, without credentials of AWS: set AWS_PROFILE or AWS_ACCESS_KEY_ID, and AWS_REGION if it is elsewhere`,
      );
    if (error instanceof Failed) throw new Failed(`${looked}: ${error.message}`);
    throw error;
  }
}
