import { plainParagraph } from './body.ts';
import type { RtfGroup } from './group.ts';

const characters: Readonly<Record<string, string>> = {
  '~': ' ',
  _: '-',
  '\\': '\\',
  '{': '{',
  '}': '}',
  tab: '\t',
  line: '\n',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  nestcell: ' ',
  nestrow: '\n',
};

/** The text that a control word stands for. */
export function characterOf(word: string): string | undefined {
  return Object.hasOwn(characters, word) ? characters[word] : undefined;
}

/** What a control word ends. A line end after a backslash ends a paragraph. */
export function endsOf(word: string): 'paragraph' | 'cell' | 'row' | undefined {
  if (word === 'cell' || word === 'row') return word;
  return ['par', 'sect', 'page', '\n', '\r'].includes(word) ? 'paragraph' : undefined;
}

/** Applies a word that changes the look of the following text. `styles` holds heading levels by style number. */
export function applyFormatting(
  group: RtfGroup,
  word: string,
  value: number | undefined,
  styles: ReadonlyMap<number, number>,
): void {
  // The formatting of a list's marker does not apply to its paragraph.
  if (group.destination === 'marker') return;
  const { paragraph } = group;
  if (word === 'pard') Object.assign(paragraph, plainParagraph);
  else if (word === 'plain') Object.assign(group, { bold: false, italic: false, hidden: false });
  else if (word === 'b') group.bold = value !== 0;
  else if (word === 'i') group.italic = value !== 0;
  else if (word === 'v' || word === 'deleted') group.hidden = value !== 0;
  else if (word === 'f') group.font = value ?? 0;
  else if (word === 'uc') group.fallbackCharacters = Math.max(0, value ?? 1);
  else if (word === 's') {
    group.style = value ?? 0;
    paragraph.headingLevel = styles.get(group.style) ?? 0;
  } else if (word === 'outlinelevel' && value !== undefined && value < 9) paragraph.headingLevel = value + 1;
  else if (word === 'intbl') paragraph.inTable = true;
  else if (word === 'li') paragraph.indentTwips = Math.max(0, value ?? 0);
  else if (word === 'ilvl') paragraph.listLevel = Math.min(Math.max(value ?? 0, 0), 8);
}
