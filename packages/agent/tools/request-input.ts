import { limits } from '@errand/platform';
import * as v from 'valibot';
import { defineTool } from '../tool.ts';

/** Fields of the run's input. Nothing else can be asked for. */
export const askableFields = ['question', 'documentUrl', 'audioUrl', 'file'] as const;

/** The loop ends the run at a valid call, so `run` is never called with one. */
export const requestInput = () =>
  defineTool({
    name: 'request_input',
    description:
      'Ends this run and asks the caller for input that only the caller has and without which the question cannot be answered.',
    parameters: v.object({
      message: v.pipe(
        v.string(),
        v.trim(),
        v.minLength(1),
        v.description('What is missing, in a sentence for the caller.'),
      ),
      expected: v.pipe(
        v.array(
          v.object({
            name: v.picklist(askableFields, `must be one of ${askableFields.join(', ')}`),
            description: v.string(),
          }),
        ),
        v.minLength(1, 'must name at least one field'),
        v.description('The fields that a new run must carry.'),
      ),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    readsOnly: true,
    sends: 'nothing',
    async run() {
      return 'The run ends here.';
    },
  });
