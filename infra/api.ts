import { createFunction, type Surroundings } from './create-function.ts';
import { functionShapes } from './functions.ts';
import type { FunctionName } from './permissions.ts';

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

/** The hosts of functions' URLs, by the functions' names. */
export const hostsOf = (functions: Functions): Record<string, $util.Output<string>> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, { url }]) => [name, url.apply((text) => new URL(text).host)]),
  );
