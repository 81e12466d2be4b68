import { createFunction, type Surroundings } from './create-function.ts';
import { functionShapes } from './functions.ts';
import type { FunctionName } from './permissions.ts';

export type Functions = Partial<Record<FunctionName, sst.aws.Function>>;

/** CloudFront waits no longer between two packets. Streams say something every 15 s, all else is answered by 55 s. */
const readTimeout = '60 seconds';

/** A function for each area, behind a streaming URL of its own, and the router's paths to them. */
export function createApi(surroundings: Surroundings, router: sst.aws.Router): Functions {
  const functions: Functions = {};
  for (const [name, { paths }] of Object.entries(functionShapes) as [
    FunctionName,
    (typeof functionShapes)[FunctionName],
  ][]) {
    if (paths.length === 0) continue;
    const made = createFunction(name, surroundings, {
      streaming: true,
      // The app answers cross-origin requests itself: a URL's own headers would come twice.
      url: { authorization: 'none', cors: false },
    });
    // A POST that was sent twice would be done twice.
    for (const path of paths) router.route(path, made.url, { readTimeout, connectionAttempts: 1 });
    functions[name] = made;
  }
  return functions;
}
