import {
  type Cursor,
  expectNext,
  type Operand,
  type Path,
  readList,
  readOperand,
  readPath,
  take,
} from './cursor.ts';

type Clause = 'SET' | 'REMOVE' | 'ADD' | 'DELETE';

export interface Action {
  clause: Clause;
  path: Path;
  operands: Operand[];
  /** Whether the operands are added or subtracted. */
  isSum: boolean;
}

const clauses: Clause[] = ['SET', 'REMOVE', 'ADD', 'DELETE'];

/** The actions of an UpdateExpression. Throws at a clause that is said twice, as AWS refuses it. */
export function readUpdate(cursor: Cursor): Action[] {
  const actions: Action[] = [];
  const said = new Set<Clause>();
  while (cursor.at < cursor.tokens.length) {
    const clause = clauses.find((word) => take(cursor, word));
    if (!clause) throw new SyntaxError(`no clause begins with ${cursor.tokens[cursor.at]?.text}`);
    if (said.has(clause)) throw new SyntaxError(`${clause} is said twice`);
    said.add(clause);
    actions.push(...readList(cursor, () => readAction(cursor, clause)));
  }
  return actions;
}

function readAction(cursor: Cursor, clause: Clause): Action {
  const path = readPath(cursor);
  if (clause === 'REMOVE') return { clause, path, operands: [], isSum: false };
  if (clause !== 'SET') return { clause, path, operands: [readOperand(cursor)], isSum: false };
  expectNext(cursor, '=');
  const operands = [readOperand(cursor)];
  while (take(cursor, '+') || take(cursor, '-')) {
    cursor.operators++;
    operands.push(readOperand(cursor));
  }
  return { clause, path, operands, isSum: operands.length > 1 };
}
