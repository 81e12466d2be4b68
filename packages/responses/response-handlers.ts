import {
  type AuthenticatedEnv,
  fieldIssue,
  oneOf,
  pageLimit,
  queryText,
  wholeNumber,
} from '@errand/platform';
import type { Context } from 'hono';
import * as v from 'valibot';
import type { Item } from './request/schema.ts';

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

/** How a response is asked for that was created earlier. */
export const responseQuery = v.object({
  stream: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
  starting_after: v.optional(v.unwrap(wholeNumber(0, Number.MAX_SAFE_INTEGER, 0))),
});

export const inputItemsQuery = v.object({
  limit: pageLimit(),
  order: v.optional(oneOf(['asc', 'desc']), 'desc'),
  after: queryText,
});

/** A list as OpenAI has it. */
interface InputItems {
  object: 'list';
  data: readonly Item[];
  first_id: unknown;
  last_id: unknown;
  has_more: boolean;
}

/** A page of a response's own input, newest first unless it is asked for otherwise. Throws `invalid_request`. */
export function pageOfItems(
  input: readonly Item[],
  { limit, order, after }: v.InferOutput<typeof inputItemsQuery>,
): InputItems {
  const items = order === 'asc' ? input : input.toReversed();
  const before = after === undefined ? -1 : items.findIndex((item) => item.id === after);
  if (after !== undefined && before < 0) throw fieldIssue('after', 'must be the id of an item of this input');
  const data = items.slice(before + 1, before + 1 + limit);
  const has_more = before + 1 + data.length < items.length;
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more };
}
