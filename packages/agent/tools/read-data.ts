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
    sends: 'nothing',
    inOrder: true,
    valueName: ({ name }) => name || undefined,
    async run({ name }) {
      if (!name) {
        const { names, isOutside } = await deps.memory.names();
        if (names.length === 0) return 'Nothing is saved.';
        return { text: `Saved names:\n${names.map((saved) => `- ${saved}`).join('\n')}`, isOutside };
      }
      const found = await deps.memory.read(name);
      if (!found) throw new ToolError(`Nothing is saved under ${JSON.stringify(name)}.`);
      return { text: found.value, isOutside: found.isOutside };
    },
  });
