const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const charactersRead = 10_000;

/** The beginning of a marked-up snippet as plain text: tags removed, entities decoded, white space collapsed. */
export function plainText(markup: string): string {
  const withoutTags = markup.slice(0, charactersRead).replace(/<\/?[a-z][^<>]*>/gi, '');
  return withoutTags
    .replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, readEntity)
    .replace(/\s+/g, ' ')
    .trim();
}

function readEntity(entity: string, name: string): string {
  if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? entity;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
