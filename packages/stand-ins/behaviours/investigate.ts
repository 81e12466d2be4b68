import { shorten } from '../quote.ts';
import type { Task } from '../task.ts';
import { type Behaviour, isError, type Report, stepsWith } from './behaviour.ts';

const asksForParts = /\b(?:compare|investigate|research|report on|each of)\b/i;
const mostQuestions = 8;
const reportCharacters = 400;

/** Gives each clause of the question to a sub-run. */
export const investigateBehaviour: Behaviour = {
  tool: 'investigate',
  inputs: (task) => (asksForParts.test(task.question) ? [{ questions: partsOf(task) }] : []),
  report: (task) => stepsWith(task, 'investigate').flatMap(({ result }) => reportsIn(result)),
};

const partsOf = ({ clauses, question }: Task): string[] =>
  (clauses.length > 0 ? clauses : [question]).slice(0, mostQuestions).map((clause) => shorten(clause, 500));

function reportsIn(result: string): Report[] {
  if (isError(result)) return [{ text: `Nothing could be investigated: ${result.trim()}` }];
  return result.split('\n\n---\n\n').map((report) => {
    const [head = '', ...body] = report.split('\n\n');
    return {
      text: shorten(body[0] ?? '', reportCharacters),
      aside: `${shorten(head.replace(/^Report (\d+) on: /, 'Sub-run $1 worked on: '), 200)}\nIt says:`,
    };
  });
}
