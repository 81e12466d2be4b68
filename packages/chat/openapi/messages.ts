import { named } from '@errand/platform';
import * as v from 'valibot';

const textPart = named('ChatTextPart', v.looseObject({ type: v.literal('text'), text: v.string() }));

const imagePart = named(
  'ChatImagePart',
  v.looseObject({
    type: v.literal('image_url'),
    image_url: v.union([
      v.looseObject({
        url: v.pipe(v.string(), v.description('An address, or a data URL.')),
        detail: v.optional(v.string()),
      }),
      v.string(),
    ]),
  }),
);

const otherPart = named(
  'ChatOtherPart',
  v.pipe(v.looseObject({ type: v.string() }), v.description('A part that the model knows.')),
);

const content = v.union([v.string(), v.array(v.union([textPart, imagePart, otherPart])), v.null()]);

export const toolCall = named(
  'ChatToolCall',
  v.looseObject({
    id: v.string(),
    type: v.optional(v.string()),
    function: v.optional(
      v.looseObject({
        name: v.string(),
        arguments: v.pipe(v.string(), v.description('JSON, as the model wrote it.')),
      }),
    ),
  }),
);

/** A message of a request. Fields of the model's own may stand beside those that are listed. */
export const chatMessage = named(
  'ChatMessage',
  v.looseObject({
    role: v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description('`system`, `developer`, `user`, `assistant` or `tool`.'),
    ),
    content: v.optional(content),
    name: v.nullish(v.string()),
    tool_calls: v.nullish(v.array(toolCall)),
    tool_call_id: v.nullish(v.pipe(v.string(), v.description('The call that a `tool` message answers.'))),
    refusal: v.nullish(v.string()),
  }),
);
