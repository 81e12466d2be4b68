import { originSecretHeader } from '@errand/platform';
import { must } from '../outcome.ts';
import type { StageDeps } from './aws.ts';
import { listStageFunctions } from './functions.ts';

/**
 * The headers with which the stage's edge sends a request to the newest version. The edge knows the last secret that functions
 * accept: behind the one of the stage stands the one before, while the operator replaces it.
 */
export async function headersForNext(
  deps: Pick<StageDeps, 'lambda' | 'stage'>,
): Promise<Record<string, string>> {
  const accepted = (await listStageFunctions(deps)).map(
    ({ Environment }) => Environment?.Variables?.ORIGIN_SECRET,
  );
  const secret = accepted.find(Boolean)?.split(',').findLast(Boolean);
  must(
    secret !== undefined,
    `no function of the stage ${deps.stage} says the secret of the edge: may these credentials read it?`,
  );
  return { [originSecretHeader]: secret };
}
