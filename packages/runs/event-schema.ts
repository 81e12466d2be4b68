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
});

const toolResult = v.object({
  type: v.literal('tool_result'),
  toolName,
  result: textField('What the tool answered. A failure begins with `Error:`, and does not end the run.'),
});

const text = v.object({
  type: v.literal('text'),
  text: textField('A whole message of the model.'),
});

const stepComplete = v.object({ type: v.literal('step_complete'), step });

const inputRequired = v.pipe(
  v.object({
    type: v.literal('input_required'),
    message: textField('What is missing.'),
    expected: described(
      'The fields that a new run must have.',
      v.array(
        v.object({
          name: described('A field of the input.', v.picklist(askableFields)),
          description: textField('What it is for.'),
        }),
      ),
    ),
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
      named('TextEvent', text),
      named('StepCompleteEvent', stepComplete),
      named('InputRequiredEvent', inputRequired),
      named('DoneEvent', done),
      named('ErrorEvent', failed),
    ]),
  ),
);
