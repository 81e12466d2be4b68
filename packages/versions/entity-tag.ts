import { DomainError, listedTags } from '@errand/platform';
import type { NamedRow } from './stored.ts';

/** The `If-Match` header as sent. Without it there is no precondition. */
export interface Precondition {
  ifMatch?: string;
}

type Tagged = Pick<NamedRow, 'id' | 'revision'>;

/** The strong entity tag of a thing, which differs between its JSON and its markdown. No other thing ever has it. */
export const entityTag = ({ id, revision }: Tagged, form: 'json' | 'markdown' = 'json'): string =>
  form === 'json' ? `"${revision}-${id}"` : `"${revision}-${id}-markdown"`;

const tagsOf = (row: Tagged): string[] => [entityTag(row), entityTag(row, 'markdown')];

/** Tags as earlier releases made them, which a caller may still have. They tell no thing from another. */
const earlierTagsOf = ({ revision }: Tagged): string[] => [`"${revision}"`, `"${revision}-markdown"`];

/** Throws `precondition_failed` unless `If-Match` lists a tag of the thing. */
export function checkPrecondition(row: Tagged, precondition: Precondition): void {
  if (!lists(precondition, [...tagsOf(row), ...earlierTagsOf(row)]))
    throw new DomainError('precondition_failed');
}

/** Whether a request that names the thing means this state of it, or a content with this digest. */
export const isMeant = (precondition: Precondition, row: Tagged, contentHash: string): boolean =>
  lists(precondition, [...tagsOf(row), `"${contentHash}"`]);

/** RFC 9110 compares `If-Match` strongly: weak tags never match. A malformed header has no tags. */
const lists = ({ ifMatch }: Precondition, tags: readonly string[]): boolean =>
  ifMatch === undefined ||
  ifMatch.trim() === '*' ||
  listedTags(ifMatch).some(({ tag, isWeak }) => !isWeak && tags.includes(tag));
