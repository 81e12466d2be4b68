import {
  boundedList,
  described,
  isFields,
  limits,
  named,
  nameOf,
  objectOf,
  shownAs,
  textField,
  unchecked,
} from '@errand/platform';
import * as v from 'valibot';

/* A request in OpenAI's words: what is checked, and what the OpenAPI document says of it. */

const text = (description: string) => v.pipe(v.string('must be a string'), v.description(description));

const optionalText = (description: string) =>
  v.optional(described(description, v.nullable(v.string('must be a string'))));

/** A field of OpenAI's that is accepted and ignored, so that its types fit the document. */
const ignored = (schema: v.GenericSchema) => v.optional(described('Ignored.', unchecked(v.nullable(schema))));

/** An object of which a missing field is told in the words of a wrong one. */
const fieldsOf = <E extends v.ObjectEntries>(entries: E) =>
  v.object(entries, ({ expected }) => {
    const { issues } = v.safeParse(entries[JSON.parse(expected ?? '""')] ?? v.never(), undefined);
    return issues?.[0].message ?? 'is required';
  });

const promptCacheBreakpoint = {
  prompt_cache_breakpoint: ignored(v.object({ mode: described('Ignored.', v.literal('explicit')) })),
};

const inputText = named(
  'InputText',
  fieldsOf({ type: v.literal('input_text'), text: text('The text.'), ...promptCacheBreakpoint }),
);

const addressProblem = 'must be an http(s) address or a data URL of an image';
const details = ['low', 'high', 'auto', 'original'] as const;

const inputImage = named(
  'InputImage',
  fieldsOf({
    type: v.literal('input_image'),
    image_url: v.pipe(
      v.string(addressProblem),
      v.check((url) => /^(?:https?:\/\/|data:image\/)/i.test(url), addressProblem),
      v.description('An address, or a data URL.'),
    ),
    detail: v.optional(
      described(
        'How closely the model looks.',
        v.nullable(v.picklist(details, `must be ${details.join(', ')}`)),
      ),
    ),
    ...promptCacheBreakpoint,
  }),
);

const jsonObject = v.record(v.string(), v.unknown());

const inputJson = named(
  'InputJson',
  fieldsOf({
    type: v.literal('input_json'),
    data: described(
      'An object, or a list of objects.',
      shownAs(
        v.union([jsonObject, v.array(jsonObject)]),
        v.custom<object>(
          (data) => isFields(data) || (Array.isArray(data) && data.every(isFields)),
          'must be an object or a list of objects',
        ),
      ),
    ),
  }),
);

const outputText = named(
  'OutputText',
  fieldsOf({ type: v.literal('output_text'), text: text('What the model said.') }),
);

const refusal = named(
  'OutputRefusal',
  fieldsOf({ type: v.literal('refusal'), refusal: text('Why the model did not answer.') }),
);

type PartSchema = v.ObjectSchema<
  { readonly type: v.LiteralSchema<string, undefined> } & v.ObjectEntries,
  v.ErrorMessage<v.ObjectIssue>
>;

/** A text, or a list of parts of these types. */
const content = <const P extends readonly [PartSchema, ...PartSchema[]]>(
  description: string,
  ...types: P
) => {
  const problem = 'must be a string or a list of parts';
  const part = v.variant(
    'type',
    types,
    `must be ${types.map(({ entries }) => entries.type.literal).join(', ')}`,
  );
  const list = v.pipe(v.array(objectOf(part), problem), v.minLength(1, problem));
  const shown = v.pipe(v.array(types.length === 1 ? types[0] : part), v.minLength(1));
  return described(
    `${description} A text, or parts.`,
    shownAs(
      v.union([v.string(), shown]),
      v.lazy((sent) => (typeof sent === 'string' ? v.string() : list)),
    ),
  );
};

const roles = ['user', 'developer', 'system', 'assistant'] as const;

const message = <R extends (typeof roles)[number], C extends v.GenericSchema>(role: R, said: C) => ({
  type: shownAs(v.optional(v.literal('message')), v.nullish(v.literal('message'))),
  role: described('Who speaks.', v.literal(role)),
  content: said,
});

const messages = [
  fieldsOf(message('user', content('What is said.', inputText, inputImage, inputJson))),
  fieldsOf(message('developer', content('What is said.', inputText))),
  fieldsOf(message('system', content('What is said.', inputText))),
  fieldsOf({
    ...message('assistant', content('What is said.', outputText, refusal)),
    phase: ignored(v.picklist(['commentary', 'final_answer'])),
  }),
] as const;

const callId = { call_id: text('The id of the call, which its output repeats.') };

const toolName = { name: text('The tool that is called.') };

const output = { output: content('What the tool answered.', inputText, inputImage) };

const ignoredOfOutputs = {
  id: ignored(v.string()),
  status: ignored(v.picklist(['in_progress', 'completed', 'incomplete'])),
};

const ignoredOfCalls = { ...ignoredOfOutputs, namespace: ignored(v.string()) };

const calls = [
  fieldsOf({
    type: v.literal('function_call'),
    ...callId,
    ...toolName,
    arguments: text('The arguments, as JSON.'),
    ...ignoredOfCalls,
  }),
  fieldsOf({ type: v.literal('function_call_output'), ...callId, ...output, ...ignoredOfOutputs }),
  fieldsOf({
    type: v.literal('custom_tool_call'),
    ...callId,
    ...toolName,
    input: text('What the tool is called with.'),
    ...ignoredOfCalls,
  }),
  fieldsOf({ type: v.literal('custom_tool_call_output'), ...callId, ...output, ...ignoredOfOutputs }),
] as const;

const itemTypes = 'message, function_call, custom_tool_call, function_call_output, custom_tool_call_output';

const item = shownAs(
  named('OpenAiInputItem', v.union([...messages, ...calls])),
  objectOf(
    v.variant('type', [v.variant('role', messages), ...calls], ({ path }) =>
      path?.[0].key === 'role' ? `must be ${roles.join(', ')}` : `must be ${itemTypes}`,
    ),
  ),
);

const inputProblem = 'must be a string or a list of messages and tool calls';

const items = v.pipe(v.array(item, inputProblem), v.minLength(1, inputProblem));

const head = {
  instructions: content('What is asked.', inputText, inputImage, inputJson),
  name: optionalText('A name, which the answer repeats. No two questions have the same.'),
};

const description = optionalText('What it means. The model reads it after the value or label.');

const entries = <S extends v.GenericSchema>(entry: S, most: number) =>
  boundedList(objectOf(entry), { least: 2, most, problem: `must be a list of 2 to ${most} entries` });

const question = named(
  'OpenAiQuestion',
  v.variant(
    'type',
    [
      named('PredicateQuestion', fieldsOf({ type: v.literal('predicate'), ...head })),
      named(
        'OpenAiChoiceQuestion',
        fieldsOf({
          type: v.literal('choice'),
          ...head,
          choices: described(
            'The options. Each value is there once.',
            entries(
              fieldsOf({
                value: described(
                  'What the answer repeats.',
                  v.union([v.string(), v.boolean()], 'must be a string or a boolean'),
                ),
                description,
              }),
              limits.decisionOptions,
            ),
          ),
        }),
      ),
      named(
        'OpenAiScoreQuestion',
        fieldsOf({
          type: v.literal('score'),
          ...head,
          levels: described(
            'The levels, the lowest first.',
            entries(
              fieldsOf({ label: text('What the answer repeats.'), description }),
              limits.decisionLevels,
            ),
          ),
        }),
      ),
    ],
    'must be predicate, choice or score',
  ),
);

export const openAiBody = v.object({
  model: nameOf('The id of a decision model of `GET /v1/models`.'),
  input: described(
    'The case: a text, or messages, calls of tools and their outputs.',
    shownAs(
      v.union([v.string(), items]),
      v.lazy((sent) => (typeof sent === 'string' ? v.string() : items)),
    ),
  ),
  questions: described(
    'The questions, in the order of their answers.',
    boundedList(
      objectOf(question),
      {
        least: 1,
        most: limits.openAiQuestions,
        problem: `must have 1 to ${limits.openAiQuestions} questions`,
      },
      'must be a list',
    ),
  ),
  prompt_cache_key: ignored(v.string()),
  prompt_cache_options: ignored(
    v.object({
      mode: ignored(v.picklist(['implicit', 'explicit'])),
      ttl: v.optional(textField('Ignored.')),
    }),
  ),
  safety_identifier: ignored(v.string()),
});

export type OpenAiBody = v.InferOutput<typeof openAiBody>;
