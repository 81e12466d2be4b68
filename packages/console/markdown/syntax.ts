import {
  Marked,
  type Token,
  Tokenizer,
  type TokenizerExtension,
  type TokenizerThis,
  type Tokens,
} from 'marked';
import { signStart } from './marks.ts';

/** TeX in a text. Its key tells it from the same TeX that is drawn in another size. */
export interface MathsToken extends Tokens.Generic {
  type: 'maths';
  key: string;
  /** How many formulas stand before it. */
  place: number;
}

export interface NoteMarkToken extends Tokens.Generic {
  type: 'note-mark';
  number: number;
}

/** The footnotes that the text refers to, in the order in which it does. */
export interface NotesToken extends Tokens.Generic {
  type: 'notes';
  notes: readonly { number: number; tokens: Token[] }[];
}

export interface ReadMarkdown {
  tokens: Token[];
  /** The keys of the formulas, which a reader of maths takes, in the order of the text and as often as they stand there. */
  formulas: readonly string[];
}

/** A short text can make many of what takes a page long to draw. More are text. */
export const mostNoteMarks = 1_000;
/** A short row is filled up to the header's columns. */
export const mostCells = 20_000;

/** Reads GitHub's markdown with footnotes and maths. */
export function readSyntax(text: string): ReadMarkdown {
  const notes = new Map<string, Note>();
  const marked = new Marked(
    { gfm: true },
    { tokenizer: { escape: readEscape, url: readAddress, table: tables() } },
  );
  // Texts without such signs are spared a search for them in every part.
  const mayHaveMaths = /\$|\\[([]/.test(text);
  if (mayHaveMaths) marked.use({ extensions: [displayed, inline] });
  if (text.includes('[^')) marked.use({ extensions: [noteText(notes), noteMark(notes)] });
  const tokens: Token[] = [...marked.lexer(text)];
  const referred = [...notes.values()]
    .flatMap(({ number, tokens }) => (number === undefined ? [] : { number, tokens }))
    .toSorted((a, b) => a.number - b.number);
  if (referred.length > 0) tokens.push({ type: 'notes', raw: '', notes: referred } satisfies NotesToken);
  return { tokens, formulas: mayHaveMaths ? placeFormulas(tokens) : [] };
}

/** Tells each formula its place among the formulas of the text. */
function placeFormulas(tokens: readonly Token[]): string[] {
  const keys: string[] = [];
  const visit = (part: object) => {
    if ('type' in part && part.type === 'maths') {
      const token = part as MathsToken;
      token.place = keys.push(token.key) - 1;
    } else for (const each of Object.values(part)) if (typeof each === 'object' && each) visit(each);
  };
  visit(tokens);
  return keys;
}

/** The backslash goes before characters that mean something in markdown, or are escaped in TeX. Before others it is text. */
function readEscape(src: string): Tokens.Escape | undefined {
  const [raw, text] = /^\\([!"#$%&'()*+\-.<>[\\\]_`{|}~])/.exec(src) ?? [];
  return raw === undefined ? undefined : { type: 'escape', raw, text: text! };
}

/** Tables up to the cells that a page draws. */
const tables = () => {
  let cells = 0;
  return function (this: Tokenizer, src: string): Tokens.Table | undefined {
    const table = Tokenizer.prototype.table.call(this, src);
    if (!table) return undefined;
    cells += table.header.length * table.rows.length;
    return cells > mostCells ? undefined : table;
  };
};

/** An address in the text, up to a mark that stands at its end. */
function readAddress(this: Tokenizer, src: string): Tokens.Link | undefined {
  const read = Tokenizer.prototype.url.call(this, src);
  const end = read?.raw.indexOf(signStart) ?? -1;
  return end === -1 ? read : Tokenizer.prototype.url.call(this, src.slice(0, end));
}

const formula = (raw: string, tex: string, display: boolean): MathsToken | undefined => {
  // Signs of citations, and an empty line, are of no formula.
  if (tex.trim() === '' || tex.includes(signStart) || /\n\s*\n/.test(tex)) return undefined;
  return { type: 'maths', raw, key: `${display ? 'display' : 'inline'} ${tex}`, place: 0 };
};

/** A formula that has its lines for itself: `$$` or `\[`. */
const displayed: TokenizerExtension = {
  name: 'displayed-maths',
  level: 'block',
  start: startInParagraph(/\n {0,3}(?:\$\$|\\\[)/),
  tokenizer(src) {
    const found = /^ {0,3}(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*([.,;:]?)[ \t]*(?:\n+|$)/.exec(src);
    if (!found) return undefined;
    const [raw, dollars, brackets, end] = found;
    return formula(raw, `${(dollars ?? brackets)!.trim()}${end}`, true);
  },
};

/** Between single dollars, as pandoc tells them from money, between double ones, or in `\(` and `\)`. */
const inline: TokenizerExtension = {
  name: 'inline-maths',
  level: 'inline',
  start: (src) => /(?<!\w)\$|\\\(/.exec(src)?.index,
  tokenizer(src) {
    const found =
      /^\\\(([\s\S]+?)\\\)/.exec(src) ??
      /^\$\$([^$`]+)\$\$/.exec(src) ??
      /^\$(?!\s)((?:\\.|[^\\$`\n])+)(?<!\s)\$(?![\d$])/.exec(src);
    if (!found || isProse(found[1]!)) return undefined;
    return formula(found[0], found[1]!.trim(), false);
  },
};

/** Two prices in a sentence have words between their dollars. */
const isProse = (tex: string): boolean => /\b[a-z]{2,} [a-z]{2,}\b/i.test(tex) && !tex.includes('\\');

interface Note {
  tokens: Token[];
  /** Absent before something refers to it. */
  number?: number;
}

const noteText = (notes: Map<string, Note>): TokenizerExtension => ({
  name: 'note-text',
  level: 'block',
  start: startInParagraph(/\n {0,3}\[\^[^\]\s]+\]:/),
  tokenizer(this: TokenizerThis, src) {
    const found = /^ {0,3}\[\^([^\]\s]{1,99})\]:[ \t]*([^\n]*(?:\n+(?: {2,}|\t)[^\n]*)*)(?:\n+|$)/.exec(src);
    if (!found) return undefined;
    const [raw, label, text] = found;
    const name = label!.toLowerCase();
    const tokens = this.lexer.blockTokens(text!.replaceAll(/\n(?: {1,4}|\t)/g, '\n'), []);
    if (!notes.has(name)) notes.set(name, { tokens });
    return { type: 'space', raw };
  },
});

/** Marks are read after all blocks, so that every note is known. */
const noteMark = (notes: Map<string, Note>): TokenizerExtension => {
  let numbers = 0;
  let marks = 0;
  return {
    name: 'note-mark',
    level: 'inline',
    start: (src) => src.indexOf('[^'),
    tokenizer(src) {
      const [raw, label] = /^\[\^([^\]\s]{1,99})\]/.exec(src) ?? [];
      const note = notes.get(label?.toLowerCase() ?? '');
      if (raw === undefined || !note || marks++ >= mostNoteMarks) return undefined;
      note.number ??= ++numbers;
      return { type: 'note-mark', raw, number: note.number } satisfies NoteMarkToken;
    },
  };
};

/** Where in the paragraph at hand something else may begin. Beyond it, it is not looked for: that would take long texts too long. */
function startInParagraph(pattern: RegExp): (src: string) => number | undefined {
  return (src) => {
    const end = src.indexOf('\n\n');
    const found = pattern.exec(end === -1 ? src : src.slice(0, end));
    return found ? found.index + 1 : undefined;
  };
}
