import { type AgentEvent, askableFields } from '@errand/agent';
import { described, named, textField } from '@errand/platform';
import * as v from 'valibot';

const step = described('The number of the step, from 1.', v.pipe(v.number(), v.integer(), v.minValue(1)));
const toolName = textField('The tool that is called.');

const stepStart = v.object({
  type: v.literal('step_start'),
  step,
  description: textField('What the step is for.'),
});

const toolCall = v.object({
  type: v.literal('tool_call'),
  toolName,
  input: described(
    'An object in a forced step; a string of JSON where the model wrote it.',
    v.union([v.looseObject({}), v.string()]),
  ),
  approval: v.optional(
    described(
      'Why the call was made without asking, where `approve` has `auto`.',
      v.object({
        probability: v.pipe(
          v.number(),
          v.minValue(0),
          v.maxValue(1),
          v.description('The probability that the question asks for the call, which approved it.'),
        ),
      }),
    ),
  ),
});

const toolResult = v.object({
  type: v.literal('tool_result'),
  toolName,
  result: textField('What the tool answered. A failure begins with `Error:`, and does not end the run.'),
});

const subRun = v.object({
  type: v.literal('sub_run'),
  runId: textField('The run that works on the question.'),
  question: textField('What it works on.'),
  status: described(
    '`queued`: it has been started. Then how it has ended.',
    v.picklist(['queued', 'succeeded', 'failed']),
  ),
});

const text = v.object({
  type: v.literal('text'),
  text: textField('A whole message of the model.'),
});

const stepComplete = v.object({ type: v.literal('step_complete'), step });

/** The fields that a run may ask for. */
export const expectedSchema = described(
  'The fields that a run which goes on from this one has to bring.',
  v.array(
    v.object({
      name: described(
        'A field of the input.',
        v.picklist([...askableFields, 'functionResults', 'approvals']),
      ),
      description: textField('What it is for.'),
    }),
  ),
);

export const askedCallsSchema = described(
  'The calls that the caller makes, or has to approve.',
  v.array(
    named(
      'AskedCall',
      v.object({
        id: textField('What `callId` of an answer names.'),
        type: described(
          '`function`: a function of the caller, whose result goes into `functionResults`. `approval`: a call that the run makes once `approvals` allows it.',
          v.picklist(['function', 'approval']),
        ),
        name: textField('The function or tool.'),
        arguments: textField('Its arguments: the JSON that the model wrote.'),
        digest: textField('The SHA-256 of name, line feed and arguments, in hex.'),
        probability: v.optional(
          v.pipe(
            v.number(),
            v.minValue(0),
            v.maxValue(1),
            v.description('The probability that the question asks for the call, if it was judged.'),
          ),
        ),
      }),
    ),
  ),
);

const inputRequired = v.pipe(
  v.object({
    type: v.literal('input_required'),
    message: textField('What is missing.'),
    expected: expectedSchema,
    calls: v.optional(askedCallsSchema),
  }),
  v.description('Terminal: what a new run has to bring.'),
);

const done = v.pipe(
  v.object({ type: v.literal('done'), finalText: textField('The answer, equal to `result` of the run.') }),
  v.description('Terminal: the answer.'),
);

const failed = v.pipe(
  v.object({ type: v.literal('error'), message: textField('Why, equal to `error` of the run.') }),
  v.description('Terminal: why the run failed.'),
);

/** The JSON of an event, for the OpenAPI document. */
export const eventSchema: v.GenericSchema<AgentEvent> = named(
  'RunEvent',
  described(
    'An event of the run.',
    v.variant('type', [
      named('StepStartEvent', stepStart),
      named('ToolCallEvent', toolCall),
      named('ToolResultEvent', toolResult),
      named('SubRunEvent', subRun),
      named('TextEvent', text),
      named('StepCompleteEvent', stepComplete),
      named('InputRequiredEvent', inputRequired),
      named('DoneEvent', done),
      named('ErrorEvent', failed),
    ]),
  ),
);
