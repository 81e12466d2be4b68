import { limits } from '@errand/platform';
import * as v from 'valibot';
import { defineTool, ToolError } from '../tool.ts';

const question = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.maxLength(
    limits.subRunQuestionCharacters,
    `must have at most ${limits.subRunQuestionCharacters} characters`,
  ),
);

export const investigateName = 'investigate';

/** Its calls are made by `sub-runs`, because their answers outlast a worker. */
export const investigate = () =>
  defineTool({
    name: investigateName,
    description: `Has each question worked on by a researcher with your tools and a context of its own, all at the same time, and returns their reports with numbered sources. Worth it for parts that can be worked on apart; it costs as much as they take. A researcher knows nothing but its question: say in it what is to be found out, of what, in which bounds, and what is known already. At most ${limits.subRunsPerRun} questions in all.`,
    parameters: v.object({
      questions: v.pipe(
        v.array(question),
        v.minLength(1, 'must have an entry'),
        v.maxLength(limits.subRunsAtOnce, `must have at most ${limits.subRunsAtOnce} entries`),
        v.description('A question for each researcher, which can be understood without the others.'),
      ),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    readsOnly: true,
    // A researcher goes to strangers with its question.
    sends: ({ questions }) => ({ message: questions.join('\n\n') }),
    run: async () => {
      throw new ToolError('Nothing can be investigated here.');
    },
  });
