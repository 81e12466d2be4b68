import { type Cursor, createCursor, type Path, readList, readPath, unexpected } from './cursor.ts';
import { type Condition, readCondition } from './read-condition.ts';
import { type Action, readUpdate } from './read-update.ts';
import { readTokens } from './tokens.ts';

export interface Expression {
  /** Why it cannot be read. */
  problem?: string;
  names: ReadonlySet<string>;
  values: ReadonlySet<string>;
  operators: number;
  condition?: Condition;
  actions?: Action[];
  paths?: Path[];
}

export type ExpressionKind = 'condition' | 'update' | 'projection';

const readers: Record<ExpressionKind, (cursor: Cursor) => Partial<Expression>> = {
  condition: (cursor) => ({ condition: readCondition(cursor) }),
  update: (cursor) => ({ actions: readUpdate(cursor) }),
  projection: (cursor) => ({ paths: readList(cursor, readPath) }),
};

const known = { condition: new Map(), update: new Map(), projection: new Map() } satisfies Record<
  ExpressionKind,
  Map<string, Expression>
>;

/** What an expression says. The service has few, so each is read once. */
export function readExpression(kind: ExpressionKind, text: string): Expression {
  const ofKind: Map<string, Expression> = known[kind];
  let expression = ofKind.get(text);
  if (!expression) {
    expression = readAnew(kind, text);
    ofKind.set(text, expression);
  }
  return expression;
}

function readAnew(kind: ExpressionKind, text: string): Expression {
  let cursor = createCursor([]);
  try {
    cursor = createCursor(readTokens(text));
    const found = readers[kind](cursor);
    if (cursor.at < cursor.tokens.length) throw unexpected(cursor, 'the end');
    return { ...cursor, ...found };
  } catch (error) {
    return { ...cursor, problem: (error as Error).message };
  }
}
