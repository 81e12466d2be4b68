import { DomainError, fieldIssue, type HttpEnv, type Issue, issuesOf } from '@errand/platform';
import { parseSkillFormField } from '@errand/skills';
import { type ReceivedForm, receiveForm, type UploadDeps } from '@errand/uploads';
import type { Context } from 'hono';
import * as v from 'valibot';
import { type CreateRunBody, createRunSchema } from '../schema.ts';

/** A form has no `uploadId`, because it brings its file with it. */
const formSchema = v.omit(createRunSchema, ['uploadId']);
const fieldNames = Object.keys(formSchema.entries);

type FormEntries = typeof formSchema.entries;

type StructuredName = {
  [Name in keyof FormEntries]: NonNullable<v.InferInput<FormEntries[Name]>> extends string ? never : Name;
}[keyof FormEntries];

interface StructuredField {
  /** Throws `invalid_request`, or gives a value that the field's schema refuses. */
  toValue(text: string): unknown;
  description: string;
}

const parseAs =
  (field: string) =>
  (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      throw fieldIssue(field, 'must be JSON');
    }
  };

/** Fields that are not text in JSON. A form has each of them as text. */
const structured: Record<StructuredName, StructuredField> = {
  skills: { toValue: parseSkillFormField, description: 'A name, or the object as JSON.' },
  metadata: { toValue: parseAs('metadata'), description: 'The object as JSON.' },
  tools: { toValue: parseAs('tools'), description: 'The list as JSON.' },
  proof: {
    toValue: (text) => ({ true: true, false: false })[text] ?? text,
    description: '`true` or `false`.',
  },
};

const structuredAsText = Object.fromEntries(
  Object.entries(structured).map(([name, { description }]) => [
    name,
    v.optional(v.pipe(v.string(), v.description(description))),
  ]),
);

/** The form in the OpenAPI document. */
export const createRunForm = v.strictObject({
  ...formSchema.entries,
  ...structuredAsText,
  file: v.pipe(
    v.string(),
    v.description('An image, a recording or a document; its extension decides how it is read.'),
    v.metadata({ format: 'binary', contentMediaType: 'application/octet-stream' }),
  ),
});

/**
 * Reads a request that came as a multipart form, and stores its file in the bucket. If this throws, nothing is stored.
 * With `digest`, forms whose files differ in content alone have different texts.
 */
export const readCreateForm = (
  deps: UploadDeps,
  c: Pick<Context<HttpEnv>, 'env' | 'req'>,
  { digest }: { digest: boolean },
): Promise<ReceivedForm<CreateRunBody>> => receiveForm(deps, c, { fieldNames, read: readFields, digest });

function readFields(fields: ReadonlyMap<string, string>, hasFile: boolean): CreateRunBody {
  const issues: Issue[] = [];
  const input: Record<string, unknown> = Object.fromEntries(fields);
  for (const [name, { toValue }] of Object.entries(structured)) {
    const text = fields.get(name);
    if (text !== undefined) input[name] = toValue(text);
  }
  const parsed = v.safeParse(formSchema, input);
  if (!parsed.success) issues.push(...issuesOf(parsed.issues));
  if (!hasFile) issues.push({ field: 'file', problem: 'is required' });
  if (!parsed.success || issues.length > 0) throw new DomainError('invalid_request', { issues });
  return parsed.output;
}
