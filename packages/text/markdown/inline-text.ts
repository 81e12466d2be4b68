export interface Marks {
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  link?: string;
}

export interface InlinePiece {
  text: string;
  bold: boolean;
  italic: boolean;
  code: boolean;
  /** The address as the reader gave it. */
  givenLink: string | undefined;
  /** The address as it is written to markdown; undefined if it is left out. */
  link: string | undefined;
}

const linkCharacters = 2_000;

/** Adds text to the last piece if its marks agree, else as a new piece. */
export function appendPiece(pieces: InlinePiece[], text: string, marks: Marks): void {
  const { bold = false, italic = false, code = false, link: givenLink } = marks;
  const last = pieces.at(-1);
  const link = last && last.givenLink === givenLink ? last.link : writtenLink(givenLink);
  if (last && last.bold === bold && last.italic === italic && last.code === code && last.link === link)
    last.text += text;
  else pieces.push({ text, bold, italic, code, givenLink, link });
}

export function renderInline(pieces: readonly InlinePiece[]): string {
  return tidy(renderPieces(pieces, renderPiece));
}

/** The pieces as one line, with their links but without their other marks. */
export function renderLine(pieces: readonly InlinePiece[]): string {
  return tidy(renderPieces(pieces, ({ text }) => text)).replaceAll('\n', ' ');
}

/** The length of the longest run of backticks in a text. A fence around the text must be longer. */
export function longestBacktickRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function writtenLink(link: string | undefined): string | undefined {
  if (!link || link.length > linkCharacters) return undefined;
  const target = link.trim();
  if (!target || target.startsWith('#') || /^(javascript|data|vbscript):/i.test(target)) return undefined;
  return target
    .replace(/[\s<>()]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}

function renderPieces(pieces: readonly InlinePiece[], render: (piece: InlinePiece) => string): string {
  let result = '';
  for (let index = 0; index < pieces.length; ) {
    const link = pieces[index]?.link;
    let group = '';
    for (; index < pieces.length && pieces[index]?.link === link; index++) group += render(pieces[index]!);
    result += link ? renderLink(group, link) : group;
  }
  return result;
}

function renderPiece({ text, bold, italic, code }: InlinePiece): string {
  if (!bold && !italic && !code) return text;
  const marker = (bold ? '**' : '') + (italic ? '*' : '');
  return text
    .split('\n')
    .map((line) => around(line, (core) => marker + (code ? renderCode(core) : core) + marker))
    .join('\n');
}

function renderCode(text: string): string {
  const longestRun = longestBacktickRun(text);
  if (longestRun === 0) return `\`${text}\``;
  const fence = '`'.repeat(longestRun + 1);
  return `${fence} ${text} ${fence}`;
}

function renderLink(text: string, link: string): string {
  return around(text, (core) => {
    const label = core.replaceAll('\n', ' ');
    return label === link || `mailto:${label}` === link ? label : `[${label}](${link})`;
  });
}

/** Renders a text without the white space at its ends. That white space stays outside of the result. */
function around(text: string, render: (core: string) => string): string {
  const core = text.trim();
  if (!core) return text;
  const start = text.length - text.trimStart().length;
  return text.slice(0, start) + render(core) + text.slice(start + core.length);
}

function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}
