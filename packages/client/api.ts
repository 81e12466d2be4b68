import createClient, {
  type Client,
  type ClientOptions,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import { authorization, type Connection, connectionError, unreachable } from './connection/connection.ts';
import { readBody, strangeAnswer } from './connection/read-json.ts';
import { requireAnswer } from './connection/require-answer.ts';
import type { paths } from './schema.ts';

type Verb = 'get' | 'post' | 'patch' | 'delete';

/** The second argument, which may be left out where the route needs nothing of it. */
type InitParam<Init> = undefined extends Init
  ? [init?: Init & { [field: string]: unknown }]
  : [init: Init & { [field: string]: unknown }];

type Method<M extends Verb> = <
  Path extends ClientPathsWithMethod<Client<paths>, M>,
  Init extends MaybeOptionalInit<paths[Path], M>,
>(
  path: Path,
  ...init: InitParam<Init>
) => Promise<{ data: Data<paths[Path][M], Init>; response: Response }>;

type Data<Operation, Init> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<Operation, Init, 'application/json'>['data']>
    : never;

/**
 * Every route of the service by its path. Refusals are thrown, so what comes back is always the answer: its JSON, or
 * its text with `parseAs: 'text'` where another type was asked for by an `Accept` header.
 */
export interface Api {
  GET: Method<'get'>;
  POST: Method<'post'>;
  PATCH: Method<'patch'>;
  DELETE: Method<'delete'>;
}

/** It redirects to the storage, with a request that has no body; fetch keeps the key from other origins. */
const filePath: keyof paths = '/v1/files/{agentId}/{name}';

/** Methods that throw an `ErrandError` for what is no JSON where JSON was asked for. */
const telling = <M>(method: M): M =>
  (async (...given: unknown[]) => {
    try {
      return await (method as (...given: unknown[]) => unknown)(...given);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw strangeAnswer('The service answered with something else than JSON.');
    }
  }) as M;

export function createApi(connection: Connection): Api {
  const client = createClient<paths>({
    baseUrl: connection.baseUrl,
    headers: authorization(connection),
    redirect: 'manual',
    fetch: connection.fetch as NonNullable<ClientOptions['fetch']>,
  });
  client.use({
    onRequest: ({ request, schemaPath }) =>
      schemaPath === filePath ? new Request(request, { redirect: 'follow' }) : undefined,
    onResponse: async ({ request, response, options }) => {
      await requireAnswer(response, { url: request.url, baseUrl: connection.baseUrl });
      // Chromium gives a 204 an empty body, and takes no response with one.
      if (options.parseAs !== 'json' || !response.body || response.status === 204) return undefined;
      return new Response(await readBody(response, request.signal), response);
    },
    onError: ({ error, request }) => {
      const told = connectionError(error, request.signal, unreachable(request.url));
      return told instanceof Error ? told : undefined;
    },
  });
  const { GET, POST, PATCH, DELETE } = client;
  return {
    GET: telling(GET),
    POST: telling(POST),
    PATCH: telling(PATCH),
    DELETE: telling(DELETE),
  } as unknown as Api;
}
