import {
  type Cursor,
  expectNext,
  isNext,
  type Operand,
  peek,
  readCall,
  readList,
  readOperand,
  take,
  unexpected,
} from './cursor.ts';

/** One comparison or function of a condition. */
export interface Test {
  operator: string;
  operands: Operand[];
}

export interface Condition {
  tests: Test[];
  /** Which of AND, OR and NOT it says. */
  joins: Set<string>;
  /** Whether a parenthesis holds nothing but another one. */
  isRedundant: boolean;
}

export function readCondition(cursor: Cursor): Condition {
  const condition: Condition = { tests: [], joins: new Set(), isRedundant: false };
  readAlternatives(cursor, condition);
  return condition;
}

function readAlternatives(cursor: Cursor, condition: Condition): void {
  readJoined(cursor, condition, 'OR', () =>
    readJoined(cursor, condition, 'AND', () => readNegated(cursor, condition)),
  );
}

function readJoined(cursor: Cursor, condition: Condition, word: string, read: () => void): void {
  read();
  while (take(cursor, word)) {
    cursor.operators++;
    condition.joins.add(word);
    read();
  }
}

function readNegated(cursor: Cursor, condition: Condition): void {
  while (take(cursor, 'NOT')) {
    cursor.operators++;
    condition.joins.add('NOT');
  }
  if (!isNext(cursor, '(')) return void condition.tests.push(readTest(cursor));
  cursor.at++;
  const inner = peek(cursor)?.text === '(' ? closing(cursor) : undefined;
  readAlternatives(cursor, condition);
  if (inner !== undefined && cursor.at === inner + 1) condition.isRedundant = true;
  expectNext(cursor, ')');
}

/** The position of the parenthesis that closes the next one. */
function closing({ tokens, at }: Cursor): number {
  let open = 0;
  for (let i = at; i < tokens.length; i++) {
    if (tokens[i]?.text === '(') open++;
    if (tokens[i]?.text === ')' && --open === 0) return i;
  }
  return tokens.length;
}

const comparators = ['=', '<>', '<', '<=', '>', '>='];

function readTest(cursor: Cursor): Test {
  if (peek(cursor, 1)?.text === '(' && !isNext(cursor, 'SIZE')) {
    const { function: operator, operands } = readCall(cursor);
    return { operator, operands };
  }
  const first = readOperand(cursor);
  cursor.operators++;
  const comparator = comparators.find((sign) => take(cursor, sign));
  if (comparator) return { operator: comparator, operands: [first, readOperand(cursor)] };
  if (take(cursor, 'BETWEEN')) {
    const lower = readOperand(cursor);
    expectNext(cursor, 'AND');
    return { operator: 'BETWEEN', operands: [first, lower, readOperand(cursor)] };
  }
  if (!take(cursor, 'IN')) throw unexpected(cursor, 'a comparator');
  expectNext(cursor, '(');
  const operands = readList(cursor, readOperand);
  expectNext(cursor, ')');
  return { operator: 'IN', operands: [first, ...operands] };
}
