import { limits } from '@errand/platform';
import * as v from 'valibot';
import { defineTool } from '../tool.ts';

/** The fields of the create-run input: nothing else can be asked for. */
export const askableFields = ['question', 'documentUrl', 'audioUrl', 'file'] as const;

/** Ends the run: the loop answers a valid call itself, so `run` is never reached with one. */
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
    async run() {
      return 'The run ends here.';
    },
  });
