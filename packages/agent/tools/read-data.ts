import { limits } from '@errand/platform';
import * as v from 'valibot';
import { defineTool } from '../tool.ts';
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
    readsOnly: true,
    sends: 'nothing',
    inOrder: true,
    valueName: ({ name }) => name || undefined,
    async run({ name }) {
      const found = name ? await deps.memory.read(name) : undefined;
      if (found) return { text: found.value, isOutside: found.isOutside };
      const { names, isOutside } = await deps.memory.names();
      const miss = name ? [`Error: Nothing is saved under ${JSON.stringify(name)}.`] : [];
      if (names.length === 0) return miss[0] ?? 'Nothing is saved.';
      return { text: [...miss, 'Saved names:', ...names.map((saved) => `- ${saved}`)].join('\n'), isOutside };
    },
  });
