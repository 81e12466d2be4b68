import { limits } from '@errand/platform';
import * as v from 'valibot';
import { defineTool } from '../tool.ts';

const marks = { pending: '[ ]', in_progress: '[~]', completed: '[x]', cancelled: '[-]' } as const;

export const writeTodos = () =>
  defineTool({
    name: 'write_todos',
    description: 'Writes down the plan for this run. Each call replaces the whole list.',
    parameters: v.object({
      todos: v.pipe(
        v.array(
          v.object({
            content: v.string(),
            status: v.picklist(['pending', 'in_progress', 'completed', 'cancelled']),
          }),
        ),
        v.description('Every item of the plan, in order.'),
      ),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    readsOnly: true,
    sends: 'nothing',
    async run({ todos }) {
      if (todos.length === 0) return 'The plan is empty.';
      return `Plan:\n${todos.map(({ content, status }) => `${marks[status]} ${content}`).join('\n')}`;
    },
  });
