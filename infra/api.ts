import { createFunction, type Surroundings } from './create-function.ts';
import { functionShapes } from './functions.ts';
import { createLiveUrl } from './live.ts';
import type { FunctionName } from './permissions.ts';
import type { Route } from './router.ts';

export type Functions = Partial<Record<FunctionName, sst.aws.Function>>;

/** Makes a function with a streaming URL for each area. */
export function createApi(surroundings: Surroundings): Functions {
  const functions: Functions = {};
  for (const [name, { paths }] of Object.entries(functionShapes) as [
    FunctionName,
    (typeof functionShapes)[FunctionName],
  ][]) {
    if (paths.length === 0) continue;
    functions[name] = createFunction(name, surroundings, {
      streaming: true,
      // The app sets the headers for other origins itself. The URL would set them a second time.
      url: { authorization: 'none', cors: false },
    });
  }
  return functions;
}

/**
 * Where the edge sends the paths of each function: to the alias, or to the newest version if the request has the secret.
 * Live development has neither versions nor aliases.
 */
export const routesOf = (functions: Functions, secret: $util.Output<string>): Record<string, Route> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, made]) => {
      const newest = made.url.apply((text) => new URL(text).host);
      if ($dev) return [name, { host: newest, secret }];
      return [name, { host: createLiveUrl(name as FunctionName, made), secret, next: newest }];
    }),
  );
