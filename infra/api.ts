import { createFunction, type Surroundings } from './create-function.ts';
import { functionShapes } from './functions.ts';
import type { FunctionName } from './permissions.ts';

export type Functions = Partial<Record<FunctionName, sst.aws.Function>>;

/** How long CloudFront waits for the next packet. Streams send one every `keepAliveMilliseconds`, and other answers take `answerMilliseconds` at most. */
const readTimeout = '60 seconds';

/** Makes a function with a streaming URL for each area, and routes the area's paths to it. */
export function createApi(surroundings: Surroundings, router: sst.aws.Router): Functions {
  const functions: Functions = {};
  for (const [name, { paths }] of Object.entries(functionShapes) as [
    FunctionName,
    (typeof functionShapes)[FunctionName],
  ][]) {
    if (paths.length === 0) continue;
    const made = createFunction(name, surroundings, {
      streaming: true,
      // The app sets the headers for other origins itself. The URL would set them a second time.
      url: { authorization: 'none', cors: false },
    });
    // CloudFront tries three times to connect. What was sent it repeats only if it is a GET or HEAD, never a POST.
    for (const path of paths) router.route(path, made.url, { readTimeout });
    functions[name] = made;
  }
  return functions;
}
