import { liveAlias } from '@errand/platform';
import { toPascalCase } from './functions.ts';
import type { FunctionName } from './permissions.ts';

/**
 * An alias on the version that is there when the alias is made. Pulumi never moves it: `npm run deploy` does, and notes in
 * its description what it was moved from.
 */
export const createLiveAlias = (name: FunctionName, { name: functionName, nodes }: sst.aws.Function) =>
  new aws.lambda.Alias(
    `${toPascalCase(name)}Live`,
    { name: liveAlias, functionName, functionVersion: nodes.function.version },
    { ignoreChanges: ['functionVersion', 'description', 'routingConfig'] },
  );

/** Where an alias answers callers: the host of a streaming URL, known once it may be called. */
export function createLiveUrl(name: FunctionName, made: sst.aws.Function): $util.Output<string> {
  const id = `${toPascalCase(name)}Live`;
  const { name: qualifier } = createLiveAlias(name, made);
  const { functionUrl } = new aws.lambda.FunctionUrl(`${id}Url`, {
    functionName: made.name,
    qualifier,
    authorizationType: 'NONE',
    invokeMode: 'RESPONSE_STREAM',
  });
  const anybody = { function: made.name, qualifier, principal: '*' };
  const access = [
    new aws.lambda.Permission(`${id}UrlAccess`, {
      ...anybody,
      action: 'lambda:InvokeFunctionUrl',
      functionUrlAuthType: 'NONE',
    }),
    new aws.lambda.Permission(`${id}UrlInvoke`, {
      ...anybody,
      action: 'lambda:InvokeFunction',
      invokedViaFunctionUrl: true,
    }),
  ];
  return $util
    .all([functionUrl, ...access.map(({ id }) => id)])
    .apply(([address]) => new URL(address as string).host);
}
