import { isSavedValueName, limits } from '@errand/platform';
import * as v from 'valibot';
import { namesWord } from '../outside/names-word.ts';
import { defineTool, ToolError } from '../tool.ts';

/** The saved values of the run's account. */
export interface Memory {
  /** False if a value of this name is there, was not saved by this run, and may not be replaced. */
  save(name: string, value: string, how: { mayReplace: boolean; isOutside: boolean }): Promise<boolean>;
  /** `isOutside` if a run saved the value after it had read material from outside. */
  read(name: string): Promise<{ value: string; isOutside: boolean } | undefined>;
  names(): Promise<{ names: string[]; isOutside: boolean }>;
}

export const saveData = (deps: { memory: Memory }) =>
  defineTool({
    name: 'save_data',
    description: `Remembers a value under a name, for any later run of this account. A value of that name is replaced. Once something was read from outside, it is replaced only if the question names it, and values are saved under at most ${limits.savedNamesAfterOutside} names.`,
    parameters: v.object({
      name: v.pipe(v.string(), v.trim(), v.minLength(1), v.description('The name to remember it under.')),
      value: v.pipe(v.string(), v.description('The value, as text.')),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    sends: 'nothing',
    inOrder: true,
    valueName: ({ name }) => name,
    async run({ name, value }, { afterOutside, isSubRun, question, savedOutside }) {
      const characters = [...value].length;
      if (characters > limits.savedValueCharacters)
        throw new ToolError(
          `The value has ${characters} characters; at most ${limits.savedValueCharacters} can be remembered. Shorten it, or use save_file.`,
        );
      if (!isSavedValueName(name))
        throw new ToolError(`The name may have at most ${limits.savedValueNameCharacters} characters.`);
      // Each would have as many names as its run.
      if (afterOutside && isSubRun)
        throw new ToolError(
          'Once something was read from outside, no value is saved here. Say in the report what is to be saved.',
        );
      if (afterOutside && !savedOutside.has(name) && savedOutside.size >= limits.savedNamesAfterOutside)
        throw new ToolError(
          `Once a run has read something from outside, it saves values under at most ${limits.savedNamesAfterOutside} names, which it has. Put what belongs together under one of them: ${[...savedOutside].join(', ')}.`,
        );
      const mayReplace = !afterOutside || namesWord(question, name);
      if (!(await deps.memory.save(name, value, { mayReplace, isOutside: afterOutside })))
        throw new ToolError(
          `A value is already saved under ${JSON.stringify(name)}. Once the run has read something from outside, it is replaced only if the question names it. Choose another name.`,
        );
      if (afterOutside) savedOutside.add(name);
      return {
        text: `Saved ${JSON.stringify(name)} (${characters} characters).`,
        savedOutside: afterOutside ? name : undefined,
      };
    },
  });
