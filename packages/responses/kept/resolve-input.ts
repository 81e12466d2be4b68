import { DomainError, fieldIssue, isUuid, limits, type Principal, stringField } from '@errand/platform';
import { keyOfItem, keyOfResponse, withoutKey } from '../ids.ts';
import type { Item, ResponsesRequest } from '../request/schema.ts';
import { getKept, type KeptDeps, type KeptResponse } from './store.ts';

/** What a model reads. */
export interface Conversation {
  /** What was said before the request's own input, by both sides. */
  earlier: readonly Item[];
  own: readonly Item[];
}

/** Puts what is kept in place of the ids by which a request names it. Throws `response_not_found` or `invalid_request`. */
export async function resolveInput(
  deps: KeptDeps,
  { keyId }: Principal,
  request: ResponsesRequest,
): Promise<Conversation> {
  const own = itemsOf(request);
  const id = request.previous_response_id ?? undefined;
  const references = findReferences(own);
  if (id === undefined && references.length === 0) return { earlier: [], own };
  const spend = createBudget();
  const read = async (key: string | undefined, field: string) => {
    const kept = key === undefined ? undefined : await getKept(deps, { keyId, key });
    if (kept) spend(kept, field);
    return kept;
  };
  if (id !== undefined && isUuid(id))
    throw fieldIssue(
      'previous_response_id',
      'is a run: a chat model follows no runs, so send its answer as input',
    );
  const previous = id === undefined ? undefined : await read(keyOfResponse(id), 'previous_response_id');
  if (id !== undefined && !previous)
    throw new DomainError('response_not_found', { param: 'previous_response_id' });
  const earlier = previous ? everyItem(previous) : [];
  const found = await findItems(
    references,
    [...earlier, ...own.filter((item) => !isReference(item))],
    async (item) => {
      const kept = await read(keyOfItem(item), 'input');
      return kept ? everyItem(kept) : [];
    },
  );
  const resolved = own.map((item) => (isReference(item) ? (found.get(item.id) ?? item) : item));
  checkSize([...earlier, ...resolved], previous ? 'previous_response_id' : 'input');
  return { earlier, own: resolved };
}

/**
 * Adds up what is read for one request. A request of a few bytes can name responses of many items, each of which is
 * parsed. Throws `invalid_request` for more than one request may read.
 */
function createBudget(): (kept: Awaited<ReturnType<typeof getKept>> & object, field: string) => void {
  let [items, characters] = [0, 0];
  return ({ earlier, input, response, ...read }, field) => {
    items += earlier.length + input.length + response.output.length;
    characters += read.characters;
    if (items > limits.referredItems)
      throw fieldIssue(field, `refers to responses of more than ${limits.referredItems} items`);
    if (characters > limits.referredBytes)
      throw fieldIssue(field, `refers to responses of more than ${limits.referredBytes} bytes`);
  };
}

const itemsOf = ({ input = [] }: ResponsesRequest): readonly Item[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;

const everyItem = ({ earlier, input, response }: KeptResponse): Item[] => [
  ...earlier,
  ...input,
  ...response.output.map((item) => ({ ...item })),
];

interface Reference {
  id: string;
  param: string;
}

const isReference = ({ type }: Item): boolean => type === 'item_reference';

const findReferences = (items: readonly Item[]): Reference[] =>
  items.flatMap((item, index) =>
    isReference(item)
      ? [{ id: stringField(item, 'id', `input[${index}]`), param: `input[${index}].id` }]
      : [],
  );

/** The ids that an item goes by: its own, and the one that its caller gave it. */
const namesOf = ({ id }: Item): unknown[] => (typeof id === 'string' ? [id, withoutKey(id)] : []);

/** The items that are referred to, by id: the last of those that have it. The newest one is looked for first, because its response mostly has the others, too. */
async function findItems(
  references: readonly Reference[],
  known: readonly Item[],
  read: (id: string) => Promise<readonly Item[]>,
): Promise<Map<unknown, Item>> {
  const wanted = new Set<unknown>(references.map(({ id }) => id));
  const found = new Map<unknown, Item>();
  const add = (items: readonly Item[]) => {
    for (const item of items.toReversed())
      for (const id of namesOf(item)) if (wanted.has(id) && !found.has(id)) found.set(id, item);
  };
  add(known);
  let reads = 0;
  for (const { id, param } of references.toReversed()) {
    if (found.has(id)) continue;
    if (++reads > limits.responsesPerInput)
      throw fieldIssue('input', `must not refer to more than ${limits.responsesPerInput} responses`);
    add(await read(id));
    if (!found.has(id)) throw new DomainError('response_not_found', { param });
  }
  return found;
}

/** A request of a few bytes can name what is long, and more than once. */
function checkSize(items: readonly Item[], field: string): void {
  const sizes = new Map<Item, number>();
  let total = 0;
  for (const item of items) {
    const bytes = sizes.get(item) ?? Buffer.byteLength(JSON.stringify(item));
    sizes.set(item, bytes);
    total += bytes;
    if (total > limits.jsonBodyBytes)
      throw fieldIssue(field, `makes an input of more than ${limits.jsonBodyBytes} bytes`);
  }
}
