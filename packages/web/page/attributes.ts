const keptAttributes: readonly string[] = [
  ...['id', 'class', 'alt', 'role', 'hidden', 'style', 'rel', 'lang', 'dir', 'start', 'colspan'],
  ...['aria-hidden', 'aria-modal', 'name', 'property', 'itemprop', 'content'],
];
/** Attributes that may hold text for people, or an address. */
const longAttributes: ReadonlySet<string> = new Set(['alt', 'content']);
const longCharacters = 2_000;
/** Readability's patterns take quadratic time over the white space in class names and properties. */
const shortCharacters = 200;
const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** The attributes that later steps use, at a bounded length. Links become absolute; links to scripts are left out. */
export function cleanAttributes(attributes: Readonly<Record<string, string>>, base: string) {
  const kept: Record<string, string> = {};
  for (const name of keptAttributes) {
    const limit = longAttributes.has(name) ? longCharacters : shortCharacters;
    if (Object.hasOwn(attributes, name)) kept[name] = attributes[name]!.slice(0, limit);
  }
  const href = absoluteLink(attributes.href, base);
  if (href) kept.href = href;
  const source = absoluteLink(attributes.src, base) ?? absoluteLink(attributes['data-src'], base);
  if (source) kept.src = source;
  return kept;
}

/** The base of relative links that a `base` element sets. A long one is ignored, because each link would repeat it. */
export function baseAddress(href: string, url: string): string | undefined {
  return href.length > longCharacters ? undefined : URL.parse(href, url)?.href;
}

function absoluteLink(link: string | undefined, base: string): string | undefined {
  if (!link || link.length > longCharacters || link.startsWith('#')) return undefined;
  const url = URL.parse(link, base);
  return url && linkProtocols.has(url.protocol) ? url.href : undefined;
}
