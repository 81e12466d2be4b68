import { type OrderedObject, stringifyOrderedJson } from '@errand/platform';
import { type AgentDefinition, agentDefinitionSchema } from './definition.ts';
import { withOrderedSchema } from './output-schema.ts';

/** A definition, or a change of one. What is null or undefined is not written. */
export type DefinitionFields = { [Name in keyof AgentDefinition]?: AgentDefinition[Name] | null };

const names = Object.keys(agentDefinitionSchema.entries) as (keyof AgentDefinition)[];

/** The same text for the same definition: JSON with the fields in their order, and a schema with its own. */
export function writeDefinition(definition: DefinitionFields): string {
  const fields = names.flatMap((name) => {
    const value = definition[name];
    if (value === undefined || value === null) return [];
    return `${JSON.stringify(name)}:${name === 'outputSchema' ? value : JSON.stringify(value)}`;
  });
  return `{${fields.join(',')}}`;
}

/** Reads what `writeDefinition` wrote. */
export function readDefinition(text: string): AgentDefinition {
  const { outputSchema, ...fields } = withOrderedSchema(JSON.parse(text), text) as AgentDefinition & {
    outputSchema?: OrderedObject;
  };
  return { ...fields, ...(outputSchema && { outputSchema: stringifyOrderedJson(outputSchema) }) };
}
