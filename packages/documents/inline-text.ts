export interface Marks {
  bold?: boolean;
  italic?: boolean;
  link?: string | undefined;
}

export interface InlinePiece extends Marks {
  text: string;
}

function keptLink(link: string | undefined): string | undefined {
  const target = link?.trim();
  if (!target || target.length > 2_000) return undefined;
  if (target.startsWith('#') || /^(javascript|data|vbscript):/i.test(target)) return undefined;
  return target
    .replace(/[\s<>()]/g, encodeURIComponent)
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}

function wrap(text: string, marker: string): string {
  const core = text.trim();
  if (!core) return text;
  const start = text.indexOf(core);
  return text.slice(0, start) + marker + core + marker + text.slice(start + core.length);
}

function renderPiece(piece: InlinePiece): string {
  const marker = (piece.bold ? '**' : '') + (piece.italic ? '*' : '');
  const lines = marker ? piece.text.split('\n').map((line) => wrap(line, marker)) : [piece.text];
  return lines.join('\n');
}

function renderLink(text: string, link: string): string {
  const core = text.replaceAll('\n', ' ').trim();
  if (!core) return text;
  if (core === link || `mailto:${core}` === link) return text;
  const start = text.search(/\S/);
  const end = text.trimEnd().length;
  return `${text.slice(0, start)}[${core}](${link})${text.slice(end)}`;
}

function sameMarks(one: InlinePiece, other: InlinePiece): boolean {
  return !one.bold === !other.bold && !one.italic === !other.italic && one.link === other.link;
}

/** Adds text to a line of pieces, joined to the last one where the marks agree. */
export function appendPiece(pieces: InlinePiece[], text: string, marks: Marks): void {
  const piece: InlinePiece = {
    text,
    bold: marks.bold ?? false,
    italic: marks.italic ?? false,
    link: keptLink(marks.link),
  };
  const last = pieces.at(-1);
  if (last && sameMarks(last, piece)) last.text += text;
  else pieces.push(piece);
}

function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

export function plainInline(pieces: readonly InlinePiece[]): string {
  return tidy(pieces.map(({ text }) => text).join('')).replaceAll('\n', ' ');
}

export function renderInline(pieces: readonly InlinePiece[]): string {
  let result = '';
  for (let index = 0; index < pieces.length; ) {
    const link = pieces[index]?.link;
    let group = '';
    for (; index < pieces.length && pieces[index]?.link === link; index += 1)
      group += renderPiece(pieces[index]!);
    result += link ? renderLink(group, link) : group;
  }
  return tidy(result);
}
