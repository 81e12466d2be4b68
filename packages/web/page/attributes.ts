const keptAttributes: readonly string[] = [
  ...['id', 'class', 'alt', 'role', 'hidden', 'style', 'rel', 'lang', 'dir', 'start'],
  ...['aria-hidden', 'aria-modal', 'name', 'property', 'itemprop', 'content'],
];
const attributeCharacters = 2_000;
const styleCharacters = 200;
const linkProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** The attributes that reading a page needs, of bounded length, with links made whole and scripts in them left out. */
export function cleanAttributes(given: Record<string, string>, base: string): [string, string][] {
  const kept: [string, string][] = [];
  for (const name of keptAttributes) {
    const value = Object.hasOwn(given, name) ? given[name]! : undefined;
    const limit = name === 'style' ? styleCharacters : attributeCharacters;
    if (value !== undefined) kept.push([name, value.slice(0, limit)]);
  }
  const href = wholeLink(given.href, base);
  if (href) kept.push(['href', href]);
  const source = wholeLink(given.src, base) ?? wholeLink(given['data-src'], base);
  if (source) kept.push(['src', source]);
  return kept;
}

function wholeLink(link: string | undefined, base: string): string | undefined {
  if (!link || link.length > attributeCharacters || link.startsWith('#')) return undefined;
  const url = URL.parse(link, base);
  return url && linkProtocols.has(url.protocol) ? url.href : undefined;
}
