/** A sentence, or a row of a table with the heads of its columns. */
export interface Unit {
  text: string;
  /** What words are looked for in. */
  searched: string;
  row?: { heads: readonly string[]; cells: readonly string[] };
}

/** A row that ends a table's head. */
const rule = /^\|(?:\s*:?-+:?\s*\|)+$/;

/** What a tool says about what it shows: a line in brackets, or the number and the name of a source. */
const remark = /^\[\p{Lu}[^\]]*\]$|^\[\d+\] |^https?:\S+$/u;

/** Splits a text as the tools show it. */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  let heads: readonly string[] = [];
  let previous: readonly string[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '' || remark.test(trimmed)) continue;
    if (!trimmed.startsWith('|')) {
      units.push(...sentencesOf(trimmed));
    } else if (rule.test(trimmed)) heads = previous;
    else {
      previous = cellsOf(trimmed);
      units.push(rowUnit(previous, heads.length === previous.length ? heads : []));
    }
  }
  return units;
}

/** Times and speakers of transcripts are left out, and so are marks of headings, lists and emphasis, and escapes. */
const plainLine = (line: string): string =>
  line
    .replace(/^\[\d\d:\d\d:\d\d\] (?:Speaker \w+: )?/, '')
    .replace(/^(?:[#>*-]+|\d+[.)])\s+/, '')
    .replaceAll(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1')
    .replaceAll('**', '');

function sentencesOf(line: string): Unit[] {
  const sentences = plainLine(line).match(/.+?(?:[.!?](?=\s+\p{Lu}|\s*$)|$)/gu) ?? [];
  return sentences.map((sentence) => ({ text: sentence.trim(), searched: sentence }));
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => plainLine(cell.trim()));

function rowUnit(cells: readonly string[], heads: readonly string[]): Unit {
  const text = cells.join(', ');
  return { text, searched: [...heads, ...cells].join(' ; '), row: { heads, cells } };
}
