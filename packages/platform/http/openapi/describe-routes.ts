import type { Handler, MiddlewareHandler } from 'hono';
import { findTargetHandler } from 'hono/utils/handler';
import type { ParameterDescription, ResponseDescription, RouteContent } from './parts.ts';
import type { HeaderName } from './response-headers.ts';

export interface RouteDescription {
  summary: string;
  description: string;
  tag: RouteTag;
  /** Who may ask: callers with a key unless it says otherwise. */
  access?: 'public' | 'keyOptional';
  body?: Record<string, RouteContent>;
  path?: Record<string, ParameterDescription>;
  query?: Record<string, ParameterDescription>;
  headers?: Record<string, ParameterDescription>;
  /** Headers of all its answers, beside those of every route. */
  everyAnswer?: readonly HeaderName[];
  responses: Record<number, ResponseDescription>;
}

export type RouteTag =
  | 'runs'
  | 'files'
  | 'values'
  | 'skills'
  | 'decisions'
  | 'chat'
  | 'responses'
  | 'messages'
  | 'webhooks'
  | 'schedules'
  | 'mcp'
  | 'money'
  | 'service';

/** A route as `GET /openapi.json` has it. */
export interface Operation extends RouteDescription {
  operationId: string;
}

const describing = new WeakMap<object, () => Promise<Operation>>();

/**
 * Describes routes by a module whose exports are named as their operations. The module is loaded when the document is
 * made: no request waits for it.
 */
export const describeRoutes =
  <M extends { [Name in keyof M]: RouteDescription }>(load: () => Promise<M>) =>
  (operationId: keyof M & string): MiddlewareHandler => {
    const pass: MiddlewareHandler = (_c, next) => next();
    describing.set(pass, async () => ({ ...(await load())[operationId], operationId }));
    return pass;
  };

/** The operation that a handler describes. Undefined for one that does other work. */
export const describedBy = (handler: Handler): Promise<Operation> | undefined =>
  // Mounting an app with an `onError` of its own wraps its handlers.
  describing.get(findTargetHandler(handler))?.();
