import { runFields } from '@errand/agents';
import { boundedText, limits, nameOf, notList } from '@errand/platform';
import * as v from 'valibot';

/* What a caller says of calls: which functions it has, which calls it wants to approve, and what became of those that a run asked for. */

const functionName = new RegExp(`^[A-Za-z0-9_-]{1,${limits.functionNameCharacters}}$`);

const callId = nameOf('The `id` of the call that was asked for.', limits.callIdCharacters);

const functionSchema = v.strictObject({
  name: v.pipe(
    v.string('must be a string'),
    v.regex(functionName, `must be 1 to ${limits.functionNameCharacters} letters, digits, "_" or "-"`),
    v.description('What the model calls. No other tool of the run has this name.'),
    v.metadata({ minLength: 1, maxLength: limits.functionNameCharacters, pattern: functionName.source }),
  ),
  description: v.optional(boundedText('What the function does.', limits.functionDefinitionsBytes)),
  parameters: v.optional(
    v.pipe(notList, v.record(v.string(), v.unknown()), v.description('A JSON schema of its arguments.')),
  ),
  strict: v.optional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description('Whether the model is held to the schema, where its provider can do so.'),
    ),
  ),
});

const functionsSchema = v.pipe(
  v.array(functionSchema),
  v.maxLength(limits.functionsPerRun, `must have at most ${limits.functionsPerRun} entries`),
  v.description(
    'Functions of yours that the model may call. A run that calls one ends as `awaiting_input`, with its calls; a run that goes on from it brings `functionResults`.',
  ),
);

const reply = (description: string) => boundedText(description, limits.replyCharacters);

const functionResultsSchema = v.pipe(
  v.array(
    v.pipe(
      v.strictObject({
        callId,
        result: v.optional(reply('What the function returned.')),
        error: v.optional(reply('Why it failed. The model reads it.')),
      }),
      v.check(
        ({ result, error }) => (result === undefined) !== (error === undefined),
        'must have either result or error',
      ),
    ),
  ),
  v.maxLength(limits.toolCallsPerCompletion, `must have at most ${limits.toolCallsPerCompletion} entries`),
  v.description('What your functions returned, for each of the calls that `previousRunId` asks for.'),
);

const approvalsSchema = v.pipe(
  v.array(
    v.strictObject({
      callId,
      approve: v.pipe(v.boolean('must be true or false'), v.description('Whether the call may be made.')),
      reason: v.optional(boundedText('Why not. The model reads it.', limits.refusalReasonCharacters)),
      digest: v.optional(
        boundedText(
          'The `digest` of the call, if you want it compared with what you saw.',
          limits.digestCharacters,
        ),
      ),
    }),
  ),
  v.maxLength(limits.toolCallsPerCompletion, `must have at most ${limits.toolCallsPerCompletion} entries`),
  v.description('Whether the calls that `previousRunId` asks about may be made.'),
);

export const callFields = {
  functions: v.optional(functionsSchema),
  functionResults: v.optional(functionResultsSchema),
  approve: v.optional(runFields.approve),
  approveThreshold: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(1, 'must be at most 1'),
      v.description(
        `With \`auto\`: the least probability with which a call is made without asking. ${limits.approveThreshold} if absent.`,
      ),
    ),
  ),
  approvals: v.optional(approvalsSchema),
};
