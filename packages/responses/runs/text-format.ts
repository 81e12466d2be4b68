import { fieldIssue, nullishBoundedText, nullishFlag, parseOrderedJson, validate } from '@errand/platform';
import { type CreateRunBody, createRunSchema, type RunRecord } from '@errand/runs';
import * as v from 'valibot';
import type { Item, ResponsesRequest } from '../request/schema.ts';

const namePattern = /^[\w-]{1,64}$/;

/** What is shown again of the format beside its schema, which the run's input has. */
const shown = {
  name: v.nullish(
    v.pipe(v.string('must be a string'), v.regex(namePattern, 'must be 1 to 64 letters, digits, "_" or "-"')),
  ),
  description: nullishBoundedText('What the answer is for.'),
  strict: nullishFlag('Every answer fits its schema, whatever this says.'),
};

const asked = v.object({
  text: v.object({
    format: v.strictObject({
      type: v.literal('json_schema'),
      schema: createRunSchema.entries.outputSchema.wrapped,
      ...shown,
    }),
  }),
});

/**
 * The schema of a run's answer, and the rest of the format as a mark of the run; undefined for an answer in text. `body` is the request's text,
 * which has the schema's keys in their order. Throws `invalid_request`.
 */
export function readTextFormat(
  { text }: ResponsesRequest,
  body: string,
): { outputSchema: CreateRunBody['outputSchema']; format: string } | undefined {
  const { type = 'text', ...given }: Item = text?.format ?? {};
  if (type === 'text') return undefined;
  if (type !== 'json_schema')
    throw fieldIssue('text.format', 'must be text or json_schema: JSON of a run has a schema');
  const schema = ['text', 'format', 'schema'].reduce<unknown>(
    (value, name) => (value instanceof Map ? value.get(name) : undefined),
    parseOrderedJson(body).value,
  );
  // The model reads what is said of the whole value.
  if (schema instanceof Map && typeof given.description === 'string' && !schema.has('description'))
    schema.set('description', given.description);
  const { format } = validate(asked, { text: { format: { ...given, type, schema } } }).text;
  const { name, description, strict } = format;
  return { outputSchema: format.schema, format: JSON.stringify({ name, description, strict }) };
}

/** The format as the response shows it, whichever door the run came through. */
export const showTextFormat = ({ marks }: Pick<RunRecord, 'marks'>, schema: string): Item => ({
  type: 'json_schema',
  name: 'answer',
  strict: true,
  ...(JSON.parse(marks?.format ?? '{}') as Item),
  schema: JSON.parse(schema) as Item,
});
