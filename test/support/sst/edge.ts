import { createContext, runInContext } from 'node:vm';
import type { Resource } from './made-up-cloud.ts';
import { type Stack, unwrap } from './stack.ts';

export interface ViewerRequest {
  method: string;
  uri: string;
  headers: Record<string, { value: string }>;
}

/** CloudFront's answer, or the request that it sends on. */
interface EdgeResult {
  answer: { statusCode?: number; body?: { data: string } } & ViewerRequest;
  /** Where the request is sent. If nothing was chosen: to the distribution's default origin. */
  origin:
    | {
        domainName?: string;
        timeouts?: { readTimeout: number; keepAliveTimeout?: number };
        connectionAttempts?: number;
      }
    | undefined;
}

/** CloudFront's key-value store. */
export interface RouteStore {
  get(key: string): Promise<string>;
}

export const edgeCode = (stack: Stack): string =>
  stack.one('aws:cloudfront/function:Function', 'RouterCloudfrontFunctionRequest').inputs.code as string;

/** The resource that writes the edge's store. */
export const routesResource = (stack: Stack): Resource =>
  stack.one('aws:cloudfront/keyvaluestoreKeysExclusive:KeyvaluestoreKeysExclusive', 'RouterRoutes');

/** The keys and values that the stack puts into the store. */
export const routesOf = (stack: Stack): Map<string, string> =>
  new Map(
    unwrap<{ key: string; value: string }[]>(routesResource(stack).inputs.resourceKeyValuePairs).map(
      ({ key, value }) => [key, unwrap<string>(value)],
    ),
  );

export const storeOf = (stored: ReadonlyMap<string, string>): RouteStore => ({
  async get(key) {
    const value = stored.get(key);
    if (value === undefined) throw new Error('no such key');
    return value;
  },
});

/** Starts the stack's viewer-request function on a request. `result` rejects if the function throws. */
export function startEdge(
  stack: Stack,
  given: Partial<ViewerRequest>,
  kvs: () => RouteStore = () => storeOf(routesOf(stack)),
) {
  const chosen: { origin: EdgeResult['origin'] } = { origin: undefined };
  const cf = {
    kvs,
    updateRequestOrigin: (origin: EdgeResult['origin']) => {
      chosen.origin = origin;
    },
  };
  const request = {
    method: 'GET',
    uri: '/',
    ...given,
    headers: { host: { value: 'api.example.com' }, ...given.headers } as ViewerRequest['headers'],
  };
  const context = createContext({ cf, event: { context: { requestId: 'the-request' }, request } });
  const code = edgeCode(stack).replace("import cf from 'cloudfront';", '');
  const answered = runInContext(`${code}\nhandler(event)`, context) as Promise<EdgeResult['answer']>;
  const result = answered.then((answer): EdgeResult => ({ answer, origin: chosen.origin }));
  return { request, chosen, result };
}
