import { shorten } from '../quote.ts';
import type { Task } from '../task.ts';
import { type Behaviour, stepsWith } from './behaviour.ts';

const asksForPlan =
  /\bstep[- ]by[- ]step\b|(?:^|[.!?,;]\s*|\b(?:please|then|and|to)\s+)plan\b|\b(?:make|write|draw up|create) a plan\b/i;

export const beginPlan: Behaviour = {
  tool: 'write_todos',
  inputs: (task) => (asksForPlan.test(task.question) ? [planOf(task, false)] : []),
  report: () => [],
};

export const finishPlan: Behaviour = {
  tool: 'write_todos',
  inputs: (task) => (stepsWith(task, 'write_todos').length > 0 ? [planOf(task, true)] : []),
  report: (task) =>
    stepsWith(task, 'write_todos').length > 0
      ? [
          {
            text: `My plan was:\n${todosOf(task)
              .map((todo, index) => `${index + 1}. ${todo}`)
              .join('\n')}`,
          },
        ]
      : [],
};

const todosOf = ({ clauses }: Task): string[] => [
  'Find out what is asked',
  ...clauses.slice(0, 5).map((clause) => `Work on: ${shorten(clause, 120)}`),
  'Write the answer',
];

function planOf(task: Task, completed: boolean) {
  const todos = todosOf(task).map((content, index) => ({
    content,
    status: completed ? 'completed' : index === 0 ? 'in_progress' : 'pending',
  }));
  return { todos };
}
