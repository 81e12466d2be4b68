import type { Token } from './tokens.ts';

/** A name as written (a word or a placeholder), or the index of a list. */
type PathPart = string | number;
export type Path = PathPart[];

export type Operand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; name: string }
  | { kind: 'call'; function: string; operands: Operand[] };

/** A place in an expression, and what was met up to it. */
export interface Cursor {
  tokens: readonly Token[];
  at: number;
  /** Names that stand in paths: words and placeholders. */
  names: Set<string>;
  values: Set<string>;
  /** Operators and functions, which AWS counts. */
  operators: number;
}

export const createCursor = (tokens: readonly Token[]): Cursor => ({
  tokens,
  at: 0,
  names: new Set(),
  values: new Set(),
  operators: 0,
});

export const peek = ({ tokens, at }: Cursor, ahead = 0): Token | undefined => tokens[at + ahead];

export const isNext = (cursor: Cursor, text: string): boolean => {
  const next = peek(cursor);
  return next?.kind === 'word' ? next.text.toUpperCase() === text : next?.text === text;
};

/** Steps over this sign or keyword, if it is next. */
export function take(cursor: Cursor, text: string): boolean {
  if (!isNext(cursor, text)) return false;
  cursor.at++;
  return true;
}

export function expectNext(cursor: Cursor, text: string): void {
  if (!take(cursor, text)) throw unexpected(cursor, text);
}

export const unexpected = (cursor: Cursor, wanted: string): SyntaxError =>
  new SyntaxError(`${peek(cursor)?.text ?? 'the end'} stands in place of ${wanted}`);

export function readPath(cursor: Cursor): Path {
  const path: Path = [readName(cursor)];
  for (;;) {
    if (take(cursor, '.')) path.push(readName(cursor));
    else if (take(cursor, '[')) {
      const index = peek(cursor);
      if (index?.kind !== 'index') throw unexpected(cursor, 'an index');
      cursor.at++;
      path.push(Number(index.text));
      expectNext(cursor, ']');
    } else return path;
  }
}

function readName(cursor: Cursor): string {
  const next = peek(cursor);
  if (next?.kind !== 'name' && next?.kind !== 'word') throw unexpected(cursor, 'a name');
  cursor.at++;
  cursor.names.add(next.text);
  return next.text;
}

export function readOperand(cursor: Cursor): Operand {
  const next = peek(cursor);
  if (next?.kind === 'value') {
    cursor.at++;
    cursor.values.add(next.text);
    return { kind: 'value', name: next.text };
  }
  if (next?.kind === 'word' && peek(cursor, 1)?.text === '(') return readCall(cursor);
  return { kind: 'path', path: readPath(cursor) };
}

/** The names of functions, unlike keywords, are written in small letters. */
export function readCall(cursor: Cursor): Operand & { kind: 'call' } {
  const name = peek(cursor)?.text ?? '';
  cursor.at += 2;
  cursor.operators++;
  const operands = readList(cursor, readOperand);
  expectNext(cursor, ')');
  return { kind: 'call', function: name, operands };
}

export function readList<T>(cursor: Cursor, read: (cursor: Cursor) => T): T[] {
  const list = [read(cursor)];
  while (take(cursor, ',')) list.push(read(cursor));
  return list;
}
