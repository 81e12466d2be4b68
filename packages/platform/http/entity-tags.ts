const listed = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** An entity tag in its quotes, without the mark of a weak one. */
interface ListedTag {
  tag: string;
  isWeak: boolean;
}

/** The tags that an `If-Match` or `If-None-Match` header lists. A malformed header has none. */
export const listedTags = (header: string): ListedTag[] =>
  [...header.matchAll(listed)].map(([, weak, tag = '']) => ({ tag, isWeak: weak !== undefined }));

/** Whether the caller's copy is current. RFC 9110 compares `If-None-Match` weakly. */
export function hasCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const own = etag.replace(/^W\//, '');
  return listedTags(ifNoneMatch).some(({ tag }) => tag === own);
}
