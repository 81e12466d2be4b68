import type { AuthenticatedEnv } from '@errand/platform';
import type { Context } from 'hono';

export type ResponsePath = '/v1/responses/:id';
export type ResponseContext = Context<AuthenticatedEnv, ResponsePath>;

type Handle = (c: ResponseContext) => Promise<Response>;

/** What can be done with a response that was created earlier. */
export interface ResponseHandlers {
  get: Handle;
  delete: Handle;
  cancel: Handle;
  listInput: Handle;
}
