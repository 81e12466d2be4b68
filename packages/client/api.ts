import createClient, {
  type Client,
  type ClientOptions,
  type ClientPathsWithMethod,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch';
import { authorization, type Connection, connectionError } from './connection/connection.ts';
import { readRefusal } from './connection/read-refusal.ts';
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

export function createApi(connection: Connection): Api {
  const client = createClient<paths>({
    baseUrl: connection.baseUrl,
    headers: authorization(connection),
    fetch: connection.fetch as NonNullable<ClientOptions['fetch']>,
  });
  client.use({
    onResponse: async ({ response }) => {
      if (response.status >= 400) throw await readRefusal(response);
    },
    onError: ({ error, request }) => {
      const told = connectionError(error, request.signal);
      return told instanceof Error ? told : undefined;
    },
  });
  return client as unknown as Api;
}
