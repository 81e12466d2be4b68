import {
  type FunctionConfiguration,
  GetFunctionUrlConfigCommand,
  paginateListFunctions,
  ResourceNotFoundException,
} from '@aws-sdk/client-lambda';
import { liveAlias } from '@errand/platform';
import type { Check } from '../check.ts';
import { send } from '../http/client.ts';
import { must } from '../outcome.ts';
import { excerpt } from '../show.ts';
import { isOfStage, type StageDeps } from './aws.ts';

/** The functions of the stage; none if nothing of it is deployed. */
export async function findStageFunctions({
  lambda,
  stage,
}: Pick<StageDeps, 'lambda' | 'stage'>): Promise<FunctionConfiguration[]> {
  const found: FunctionConfiguration[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {}))
    found.push(...Functions.filter(({ FunctionName = '' }) => isOfStage(FunctionName, stage)));
  return found;
}

/** The functions of the stage. Throws `Failed` if there is none. */
export async function listStageFunctions(
  deps: Pick<StageDeps, 'lambda' | 'stage'>,
): Promise<FunctionConfiguration[]> {
  const found = await findStageFunctions(deps);
  must(found.length > 0, `this account has no function of the stage ${deps.stage}`);
  return found;
}

export const functionUrlsCheck = (deps: StageDeps): Check => ({
  name: 'function URLs refuse strangers',
  async run({ key }) {
    const urls: string[] = [];
    for (const { FunctionName } of await listStageFunctions(deps)) {
      for (const Qualifier of [undefined, liveAlias]) {
        const url = await urlOf(deps, { FunctionName, Qualifier });
        if (url !== undefined) urls.push(url);
      }
    }
    must(urls.length > 0, 'no function has a URL');
    for (const url of urls) {
      const answer = await send(new URL('/healthz', url).href, {
        headers: { Authorization: `Bearer ${key}` },
      });
      const text = await answer.text();
      const right = answer.status === 403 && text === '{"error":"Forbidden"}';
      must(right, `GET ${new URL(url).hostname}: ${answer.status} ${excerpt(text)}`);
    }
    return `${urls.length} URLs: 403, with our own words`;
  },
});

/** Undefined for a function or alias without a URL. */
async function urlOf(
  { lambda }: StageDeps,
  of: { FunctionName: string | undefined; Qualifier: string | undefined },
): Promise<string | undefined> {
  try {
    return (await lambda.send(new GetFunctionUrlConfigCommand(of))).FunctionUrl;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}
