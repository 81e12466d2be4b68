import { isSavedValueName, limits } from '@errand/platform';
import * as v from 'valibot';
import { defineTool, ToolError } from '../tool.ts';

/** The saved values of the run's account. */
export interface Memory {
  save(name: string, value: string): Promise<void>;
  read(name: string): Promise<string | undefined>;
  names(): Promise<string[]>;
}

export const saveData = (deps: { memory: Memory }) =>
  defineTool({
    name: 'save_data',
    description:
      'Remembers a value under a name, for any later run of this account. A value of that name is replaced.',
    parameters: v.object({
      name: v.pipe(v.string(), v.trim(), v.minLength(1), v.description('The name to remember it under.')),
      value: v.pipe(v.string(), v.description('The value, as text.')),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    inOrder: true,
    async run({ name, value }) {
      const characters = [...value].length;
      if (characters > limits.savedValueCharacters)
        throw new ToolError(
          `The value has ${characters} characters; at most ${limits.savedValueCharacters} can be remembered. Shorten it, or use save_file.`,
        );
      if (!isSavedValueName(name))
        throw new ToolError(`The name may have at most ${limits.savedValueNameCharacters} characters.`);
      await deps.memory.save(name, value);
      return `Saved ${JSON.stringify(name)} (${characters} characters).`;
    },
  });
