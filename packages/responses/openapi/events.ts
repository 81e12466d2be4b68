import { countField, described, named, textField } from '@errand/platform';
import * as v from 'valibot';
import { contentPart, outputItem } from './items.ts';
import { response } from './response.ts';

const place = { output_index: countField('Which item of the output it is of, from 0.') };
const itemPlace = { ...place, item_id: textField('The id of that item.') };
const partPlace = { ...itemPlace, content_index: countField('Which part of the item it is of, from 0.') };

const summaryPlace = {
  ...itemPlace,
  summary_index: countField('Which part of the summary it is of, from 0.'),
};
const summaryPart = described(
  'A part of the summary.',
  v.looseObject({ type: v.literal('summary_text'), text: textField('The text.') }),
);

const delta = textField('What was added.');
const whole = textField('All of it.');
const logprobs = described(
  'Tokens with their probabilities, if they were asked for.',
  v.array(v.looseObject({})),
);

const lifecycle = ['created', 'queued', 'in_progress', 'completed', 'incomplete', 'failed'] as const;

/** The fields of each type of event, after `response.`. */
const eventFields = {
  'output_item.added': { ...place, item: outputItem },
  'output_item.done': { ...place, item: outputItem },
  'content_part.added': { ...partPlace, part: contentPart },
  'content_part.done': { ...partPlace, part: contentPart },
  'output_text.delta': { ...partPlace, delta, logprobs },
  'output_text.done': { ...partPlace, text: whole, logprobs },
  'output_text.annotation.added': {
    ...partPlace,
    annotation_index: countField('Which citation of the part it is, from 0.'),
    annotation: described('What is cited.', v.looseObject({ type: v.string() })),
  },
  'refusal.delta': { ...partPlace, delta },
  'refusal.done': { ...partPlace, refusal: whole },
  'reasoning_text.delta': { ...partPlace, delta },
  'reasoning_text.done': { ...partPlace, text: whole },
  'reasoning_summary_part.added': { ...summaryPlace, part: summaryPart },
  'reasoning_summary_part.done': { ...summaryPlace, part: summaryPart },
  'reasoning_summary_text.delta': { ...summaryPlace, delta },
  'reasoning_summary_text.done': { ...summaryPlace, text: whole },
  'function_call_arguments.delta': { ...itemPlace, delta },
  'function_call_arguments.done': { ...itemPlace, name: textField('The tool.'), arguments: whole },
  'mcp_call.in_progress': itemPlace,
  'mcp_call_arguments.delta': { ...itemPlace, delta },
  'mcp_call_arguments.done': { ...itemPlace, arguments: whole },
  'mcp_call.completed': itemPlace,
  'mcp_call.failed': itemPlace,
  'web_search_call.in_progress': itemPlace,
  'web_search_call.searching': itemPlace,
  'web_search_call.completed': itemPlace,
  'custom_tool_call_input.delta': { ...itemPlace, delta },
  'custom_tool_call_input.done': { ...itemPlace, input: whole },
} as const satisfies Record<string, v.ObjectEntries>;

const sequence_number = countField('From 0, one higher for each event.');

const eventOf = (type: string, entries: v.ObjectEntries) =>
  v.looseObject({ type: v.literal(`response.${type}`), sequence_number, ...entries });

/** The data of an event of a stream. */
export const responseEvent = named(
  'ResponseEvent',
  described(
    'The JSON of one event of a stream. `response.completed`, `response.incomplete` and `response.failed` are the last.',
    v.variant('type', [
      ...lifecycle.map((type) => eventOf(type, { response })),
      ...Object.entries(eventFields).map(([type, entries]) => eventOf(type, entries)),
    ]),
  ),
);
