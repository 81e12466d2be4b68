import * as v from 'valibot';

/** An agent as a creation names it: its name, for what it is now, or its name and one published version. */
export interface AgentReference {
  name: string;
  version?: number;
}

/** The service's own agent, which is not stored. */
export const defaultAgent = 'default';

const form = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})(?:@([1-9]\d{0,11}))?$/;

/** Reads `name` or `name@3`. Undefined for a text that names no agent. */
export function readAgentReference(text: string): AgentReference | undefined {
  const [, name, version] = form.exec(text) ?? [];
  return name === undefined
    ? undefined
    : { name, version: version === undefined ? undefined : Number(version) };
}

/** `agent` of a creation. */
export const agentField = v.pipe(
  v.string('must be a string'),
  v.regex(form, 'must be the name of an agent, or a name and a version such as "researcher@3"'),
  v.description(
    "The agent that the run is by: its name, for what it is now, or its name and a published version, as `researcher@3`. Without it: that of the run before, else `default`, which is the service's own.",
  ),
  v.metadata({ maxLength: 77 }),
);
