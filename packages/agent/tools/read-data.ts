import { limits } from '@errand/platform';
import * as v from 'valibot';
import { defineTool, ToolError } from '../tool.ts';
import type { Memory } from './save-data.ts';

export const readData = (deps: { memory: Memory }) =>
  defineTool({
    name: 'read_data',
    description:
      'Reads a value that was saved with save_data. Without a name, lists the names that are saved.',
    parameters: v.object({
      name: v.nullish(
        v.pipe(v.string(), v.trim(), v.description('The name of the value; leave it out to list all names.')),
      ),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    inOrder: true,
    async run({ name }) {
      if (!name) {
        const names = await deps.memory.names();
        return names.length === 0
          ? 'Nothing is saved.'
          : `Saved names:\n${names.map((saved) => `- ${saved}`).join('\n')}`;
      }
      const value = await deps.memory.read(name);
      if (value === undefined) throw new ToolError(`Nothing is saved under ${JSON.stringify(name)}.`);
      return value;
    },
  });
