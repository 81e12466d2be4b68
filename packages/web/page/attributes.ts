const keptAttributes: readonly string[] = [
  ...['id', 'class', 'alt', 'role', 'hidden', 'style', 'rel', 'lang', 'dir', 'start', 'colspan'],
  ...['aria-hidden', 'aria-modal', 'name', 'property', 'itemprop', 'content'],
];
/** Attributes that hold text for people, or an address. */
const longAttributes: ReadonlySet<string> = new Set(['alt', 'content']);
const longCharacters = 2_000;
/** Readability's patterns for class names and properties take the square of an attribute's white space. */
const shortCharacters = 200;
const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/**
 * The attributes that a page's readers use, at a bounded length. Links are made whole; links to scripts are left out.
 */
export function cleanAttributes(given: Readonly<Record<string, string>>, base: string) {
  const kept: Record<string, string> = {};
  for (const name of keptAttributes) {
    const limit = longAttributes.has(name) ? longCharacters : shortCharacters;
    if (Object.hasOwn(given, name)) kept[name] = given[name]!.slice(0, limit);
  }
  const href = wholeLink(given.href, base);
  if (href) kept.href = href;
  const source = wholeLink(given.src, base) ?? wholeLink(given['data-src'], base);
  if (source) kept.src = source;
  return kept;
}

/**
 * The address that a `base` element makes links relative to. A long one is ignored, because each link would repeat
 * it.
 */
export function baseAddress(href: string, url: string): string | undefined {
  return href.length > longCharacters ? undefined : URL.parse(href, url)?.href;
}

function wholeLink(link: string | undefined, base: string): string | undefined {
  if (!link || link.length > longCharacters || link.startsWith('#')) return undefined;
  const url = URL.parse(link, base);
  return url && linkProtocols.has(url.protocol) ? url.href : undefined;
}
