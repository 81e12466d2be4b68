import type { AgentEvent } from '@errand/agent';
import { named } from '@errand/platform';
import * as v from 'valibot';

const step = v.pipe(v.number(), v.integer(), v.minValue(1));

const stepStart = v.object({ type: v.literal('step_start'), step, description: v.string() });

const toolCall = v.object({
  type: v.literal('tool_call'),
  toolName: v.string(),
  input: v.pipe(
    v.union([v.looseObject({}), v.string()]),
    v.description('An object in a forced step; a string of JSON where the model wrote it.'),
  ),
});

const toolResult = v.object({
  type: v.literal('tool_result'),
  toolName: v.string(),
  result: v.pipe(v.string(), v.description('A failure begins with `Error:`, and does not end the run.')),
});

const text = v.object({
  type: v.literal('text'),
  text: v.pipe(v.string(), v.description('A whole message of the model.')),
});

const stepComplete = v.object({ type: v.literal('step_complete'), step });

const inputRequired = v.pipe(
  v.object({
    type: v.literal('input_required'),
    message: v.string(),
    expected: v.array(v.object({ name: v.string(), description: v.string() })),
  }),
  v.description('Terminal: what a new run has to bring.'),
);

const done = v.pipe(
  v.object({ type: v.literal('done'), finalText: v.string() }),
  v.description('Terminal: the answer.'),
);

const failed = v.pipe(
  v.object({ type: v.literal('error'), message: v.string() }),
  v.description('Terminal: why the run failed.'),
);

/** The JSON of an event, for the OpenAPI document. */
export const eventSchema: v.GenericSchema<AgentEvent> = named(
  'RunEvent',
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
);
