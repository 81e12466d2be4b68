import {
  cursorField,
  described,
  named,
  numberField,
  refuseMisspelt,
  textField,
  validate,
} from '@errand/platform';
import {
  descriptionField,
  enabledField,
  nameField,
  requireChange,
  requireObject,
  summaryFields,
} from '@errand/versions';
import * as v from 'valibot';
import { agentDefinitionSchema } from './definition.ts';
import type { DefinitionFields } from './definition-text.ts';
import { defaultAgent } from './reference.ts';

/** Names that paths, or the service's own agent, have. */
const reserved = [defaultAgent, 'runs', 'servers'];

const agentName = v.pipe(
  nameField,
  v.check(
    (name) => !reserved.includes(name),
    `must not be ${reserved.slice(0, -1).join(', ')} or ${reserved.at(-1)}`,
  ),
);

const { instructions, ...optionalFields } = agentDefinitionSchema.entries;

export const newAgentSchema = v.object(
  { name: agentName, description: v.optional(descriptionField), instructions, ...optionalFields },
  'is required',
);

type Optional = typeof optionalFields;
type Removable = {
  [Name in keyof Optional]: v.OptionalSchema<
    v.NullableSchema<Optional[Name]['wrapped'], undefined>,
    undefined
  >;
};

const removable = Object.fromEntries(
  Object.entries(optionalFields).map(([name, { wrapped }]) => [
    name,
    v.optional(described(v.getDescription(wrapped) ?? '', v.nullable(wrapped as v.GenericSchema))),
  ]),
) as Removable;

/** Null takes a field away. */
export const agentPatchSchema = v.object({
  name: v.optional(agentName),
  description: v.optional(descriptionField),
  instructions: v.optional(instructions),
  enabled: v.optional(enabledField('agent')),
  ...removable,
});

export type NewAgent = v.InferOutput<typeof newAgentSchema>;
export type AgentPatch = v.InferOutput<typeof agentPatchSchema>;

/** The part of an input that is the definition. */
export function definitionOf(input: NewAgent | AgentPatch): DefinitionFields {
  const { name: _, description: __, ...fields } = input;
  const { enabled: ___, ...definition } = fields as AgentPatch;
  return definition;
}

/** The patch by which a definition takes the place of another: what it leaves out is taken away. */
export const wholeDefinition = (definition: object): object => ({
  ...Object.fromEntries(Object.keys(optionalFields).map((name) => [name, null])),
  ...definition,
});

/** They bound what each run of the agent may do and cost. */
const boundingFields = [...Object.keys(optionalFields), 'enabled'];

/** `body` has its schema as `withOrderedSchema` gives it. Throws `invalid_request`. */
export function validateNewAgent(body: unknown): NewAgent {
  requireObject(body);
  refuseMisspelt(body, boundingFields, newAgentSchema.entries);
  return validate(newAgentSchema, body);
}

/** As `validateNewAgent`, for a patch, which must have at least one field. */
export function validateAgentPatch(body: unknown): AgentPatch {
  requireObject(body);
  refuseMisspelt(body, boundingFields, agentPatchSchema.entries);
  const patch = validate(agentPatchSchema, body);
  requireChange(patch, 'name, description, enabled and the fields of a definition');
  return patch;
}

const agentSummarySchema = v.object(summaryFields('agent', 'What the agent is for'));

export const agentDetailSchema = v.object({
  ...agentSummarySchema.entries,
  ...agentDefinitionSchema.entries,
});

const versionSummarySchema = v.object({
  number: numberField('1 for the first version, one higher for each that follows.'),
  digest: textField(
    'SHA-256, as lower-case hex, of the definition as JSON without spaces, its fields in the order of this documentation.',
  ),
  createdAt: v.string(),
});
export const agentVersionSchema = v.object({
  ...versionSummarySchema.entries,
  ...agentDefinitionSchema.entries,
});
export const agentVersionListSchema = v.object({
  versions: described('Newest first.', v.array(named('AgentVersionSummary', versionSummarySchema))),
  cursor: v.optional(cursorField()),
});
