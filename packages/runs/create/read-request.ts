import { approveRules, withOrderedSchema } from '@errand/agents';
import {
  checkJsonSize,
  DomainError,
  described,
  fieldIssue,
  type HttpEnv,
  type Issue,
  issuesOf,
  limits,
  nameOf,
  parseJson,
  parseOrderedJson,
  readJsonText,
  refuseMisspelt,
  validate,
} from '@errand/platform';
import { parseSkillFormField } from '@errand/skills';
import { type ReceivedForm, receiveForm, type UploadDeps } from '@errand/uploads';
import type { Context } from 'hono';
import * as v from 'valibot';
import { type CreateRunBody, createRunSchema } from '../schema.ts';

/** A run that goes on from no other needs a question. It is told with the other problems. */
const firstRunSchema = v.required(createRunSchema, ['question']);

/** Answers are for the run that asked: without it they are told so, and not that a question is missing. */
const goesOn = (input: unknown): boolean =>
  input instanceof Object &&
  ['previousRunId', 'functionResults', 'approvals'].some((name) => Object.hasOwn(input, name));

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
  /** What the form has, for the OpenAPI document. */
  schema: v.GenericSchema<string>;
}

const parseAs =
  (field: string, parse: (text: string) => unknown = JSON.parse) =>
  (text: string): unknown => {
    checkJsonSize(text);
    try {
      return parse(text);
    } catch {
      throw fieldIssue(field, 'must be JSON');
    }
  };

const formText = (description: string) => nameOf(description, limits.uploadFieldBytes);

/** Fields that are not text in JSON. A form has each of them as text. */
const structured: Record<StructuredName, StructuredField> = {
  skills: {
    toValue: parseSkillFormField,
    schema: formText('A skill by its name, or the object of `NewRun` as JSON.'),
  },
  metadata: {
    toValue: parseAs('metadata'),
    schema: formText('Kept with the run and returned with it: the object of `NewRun` as JSON.'),
  },
  tools: {
    toValue: parseAs('tools'),
    schema: formText('The only tools that the run may use: the list of `NewRun` as JSON.'),
  },
  mcp: {
    toValue: parseAs('mcp'),
    schema: formText('Servers of tools that the run may use: the list of `NewRun` as JSON.'),
  },
  functions: {
    toValue: parseAs('functions'),
    schema: formText('Functions of yours that the model may call: the list of `NewRun` as JSON.'),
  },
  functionResults: {
    toValue: parseAs('functionResults'),
    schema: formText('What your functions returned: the list of `NewRun` as JSON.'),
  },
  approve: {
    toValue: (text) => (approveRules.some((rule) => rule === text) ? text : parseAs('approve')(text)),
    schema: formText('Calls that need your approval: a rule, or the list of `NewRun` as JSON.'),
  },
  approveThreshold: {
    toValue: parseAs('approveThreshold'),
    schema: formText('The least probability with which `auto` approves a call.'),
  },
  approvals: {
    toValue: parseAs('approvals'),
    schema: formText('Whether calls may be made: the list of `NewRun` as JSON.'),
  },
  outputSchema: {
    toValue: parseAs('outputSchema', (text) => parseOrderedJson(text).value),
    schema: formText('The JSON Schema of the answer: the object of `NewRun` as JSON.'),
  },
  proof: {
    toValue: (text) => ({ true: true, false: false })[text] ?? text,
    schema: described(
      'Whether a decision model checks the cited claims of the answer. It is charged.',
      v.picklist(['true', 'false']),
    ),
  },
};

const structuredAsText = Object.fromEntries(
  Object.entries(structured).map(([name, { schema }]) => [name, v.optional(schema)]),
);

/** The form in the OpenAPI document. */
export const createRunForm = v.strictObject({
  ...formSchema.entries,
  ...structuredAsText,
  file: v.pipe(
    v.string(),
    v.description(
      'An image, a recording or a document. Give it a name with an ending, such as `report.pdf`: the ending decides how it is read.',
    ),
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
  { digest, owner }: { digest: boolean; owner: string },
): Promise<ReceivedForm<CreateRunBody>> =>
  receiveForm(deps, c, { fieldNames, read: readFields, digest, owner });

function readFields(fields: ReadonlyMap<string, string>, hasFile: boolean): CreateRunBody {
  const issues: Issue[] = [];
  const input: Record<string, unknown> = Object.fromEntries(fields);
  for (const [name, { toValue }] of Object.entries(structured)) {
    const text = fields.get(name);
    if (text !== undefined) input[name] = toValue(text);
  }
  const parsed = v.safeParse(goesOn(input) ? formSchema : v.required(formSchema, ['question']), input);
  if (!parsed.success) issues.push(...issuesOf(parsed.issues));
  if (!hasFile) issues.push({ field: 'file', problem: 'is required' });
  if (!parsed.success || issues.length > 0) throw new DomainError('invalid_request', { issues });
  return parsed.output;
}

/** They decide what a run may cost or do. */
const costlyFields = [
  'agent',
  'maxCredits',
  'model',
  'tools',
  'proof',
  'approve',
  'approveThreshold',
  'previousRunId',
  'outputSchema',
] satisfies (keyof CreateRunBody)[];

/** Throws `invalid_request` for a field that could be meant for one of them. */
export const refuseMisspeltRun = (json: unknown): void =>
  refuseMisspelt(json, costlyFields, createRunSchema.entries);

/** Reads a request that came as JSON: its body, and the text by which a repetition is recognised. */
export async function readCreateBody(c: Context): Promise<{ body: CreateRunBody; text: string }> {
  const type = c.req.header('Content-Type') ?? 'application/json';
  if (!/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw fieldIssue('Content-Type', 'must be application/json or multipart/form-data');
  }
  const text = await readJsonText(c, limits.jsonBodyBytes);
  const json = parseJson(text);
  // First: without `previousRunId` a question would be missing.
  refuseMisspeltRun(json);
  const schema = goesOn(json) ? createRunSchema : firstRunSchema;
  const body: CreateRunBody = validate(schema, withOrderedSchema(json, text));
  return { body, text };
}
