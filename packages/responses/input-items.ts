import { fieldIssue, oneOf, pageLimit } from '@errand/platform';
import * as v from 'valibot';
import type { Item } from './request/schema.ts';

export const inputItemsQuery = v.object({
  limit: pageLimit(),
  order: v.optional(oneOf(['asc', 'desc']), 'desc'),
  after: v.optional(v.string()),
});

/** A list as OpenAI has it. */
export interface InputItems {
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
