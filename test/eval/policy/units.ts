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
    const isPiped = trimmed.startsWith('|');
    const cells = isPiped ? cellsOf(trimmed) : separatedCells(trimmed);
    if (rule.test(trimmed)) heads = previous;
    else if (trimmed === '' || remark.test(trimmed)) previous = [];
    else if (!cells) units.push(...sentencesOf(trimmed));
    else {
      // Rows of values between commas have no rule: the first one of a passage is the head.
      if (!isPiped && previous.length === 0) heads = cells;
      previous = cells;
      units.push(rowUnit(cells, heads.length === cells.length ? heads : []));
    }
  }
  return units;
}

const leastColumns = 3;

/** The values of a line in CSV. Prose has spaces behind its commas. */
function separatedCells(line: string): string[] | undefined {
  const cells = line.match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,"]*)(?=,|$)/g) ?? [];
  if (cells.length < leastColumns || cells.some((cell) => /^\s/.test(cell)) || /\.$/.test(line))
    return undefined;
  return cells.map((cell) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'));
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
