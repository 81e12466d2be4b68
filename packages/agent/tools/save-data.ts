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

/** Words with which people ask that something is remembered, in the languages that callers use most. */
const savingWords =
  /\b(sav(e|es|ed|ing)|stor(e|es|ed|ing)|remember\w*|memori[sz]e\w*|keep|record (it|this|that|the)|note|write (it |this |that )?down|speicher\w*|merk(e|en|t|st)?|notier\w*|behalt\w*|enregistr\w*|sauvegard\w*|mémoris\w*|retien\w*|reten\w*|guarda\w*|recuerda\w*|salva\w*|memorizz\w*|ricorda\w*|lembr\w*|bewaar\w*|onthou\w*)|保存|记住|記憶|覚え|저장|기억|сохран|запомн/iu;

const asksToSave = (question: string): boolean => savingWords.test(question);

export const saveData = (deps: { memory: Memory }) =>
  defineTool({
    name: 'save_data',
    description:
      'Remembers a value under a name, for any later run of this account. A value of that name is replaced. Once something was read from outside, a value is saved only if the question asks for it, and replaced only if the question names it.',
    parameters: v.object({
      name: v.pipe(v.string(), v.trim(), v.minLength(1), v.description('The name to remember it under.')),
      value: v.pipe(v.string(), v.description('The value, as text.')),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    sends: 'nothing',
    inOrder: true,
    valueName: ({ name }) => name,
    async run({ name, value }, { afterOutside, question }) {
      const characters = [...value].length;
      if (characters > limits.savedValueCharacters)
        throw new ToolError(
          `The value has ${characters} characters; at most ${limits.savedValueCharacters} can be remembered. Shorten it, or use save_file.`,
        );
      if (!isSavedValueName(name))
        throw new ToolError(`The name may have at most ${limits.savedValueNameCharacters} characters.`);
      if (afterOutside && !namesWord(question, name) && !asksToSave(question))
        throw new ToolError(
          'The question does not ask to save anything, and the run has read something from outside. Leave it out.',
        );
      const mayReplace = !afterOutside || namesWord(question, name);
      if (!(await deps.memory.save(name, value, { mayReplace, isOutside: afterOutside })))
        throw new ToolError(
          `A value is already saved under ${JSON.stringify(name)}. Once the run has read something from outside, it is replaced only if the question names it. Choose another name.`,
        );
      return `Saved ${JSON.stringify(name)} (${characters} characters).`;
    },
  });
