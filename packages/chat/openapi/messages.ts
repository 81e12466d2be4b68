import { described, named, textField } from '@errand/platform';
import * as v from 'valibot';

const textPart = named(
  'ChatTextPart',
  v.looseObject({ type: v.literal('text'), text: textField('The text of the part.') }),
);

const imagePart = named(
  'ChatImagePart',
  v.looseObject({
    type: v.literal('image_url'),
    image_url: described(
      'The image.',
      v.union([
        v.looseObject({
          url: textField('An address, or a data URL.'),
          detail: v.optional(textField('How closely the model looks, such as `low`, `high` or `auto`.')),
        }),
        v.string(),
      ]),
    ),
  }),
);

const otherPart = named(
  'ChatOtherPart',
  described('A part that the model knows.', v.looseObject({ type: v.string() })),
);

const content = v.union([v.string(), v.array(v.union([textPart, imagePart, otherPart])), v.null()]);

export const toolCall = named(
  'ChatToolCall',
  v.looseObject({
    id: v.string(),
    type: v.optional(v.string()),
    function: v.optional(
      described(
        'The function that is called.',
        v.looseObject({
          name: textField('Its name.'),
          arguments: textField('JSON, as the model wrote it.'),
        }),
      ),
    ),
  }),
);

/** A message of a request. Fields of the model's own may stand beside those that are listed. */
export const chatMessage = named(
  'ChatMessage',
  v.looseObject({
    role: described(
      '`system`, `developer`, `user`, `assistant` or `tool`.',
      v.pipe(v.string(), v.nonEmpty()),
    ),
    content: v.optional(described('A text, or parts such as texts and images.', content)),
    name: described('Who speaks, where several have one role.', v.nullish(v.string())),
    tool_calls: described('Tools that an `assistant` message calls.', v.nullish(v.array(toolCall))),
    tool_call_id: described('The call that a `tool` message answers.', v.nullish(v.string())),
    refusal: described('Why an `assistant` message does not answer.', v.nullish(v.string())),
  }),
);
