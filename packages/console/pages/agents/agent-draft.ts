import type { components } from '@errand/client';
import type { NamedDraft } from '../../named/kind.ts';
import { readField, writeField } from '../../words/run-words.ts';

type Schemas = components['schemas'];
export type Agent = Schemas['Agent'];
export type AgentVersion = Schemas['AgentVersion'];
export type OpenField = NonNullable<Agent['open']>[number];

/** The settings of a definition that are texts in its form. What is no word stands there as JSON. */
const textFields = ['model', 'skills', 'approve', 'effort', 'maxCredits', 'mcp', 'outputSchema'] as const;
type TextField = (typeof textFields)[number];

/** An agent as its form has it. An empty text is a field that it does not have. */
export interface AgentDraft extends NamedDraft, Record<TextField, string> {
  tools: readonly string[] | undefined;
  /** Undefined where the effort says whether claims are checked. */
  proof: boolean | undefined;
  open: readonly OpenField[];
}

const texts = (of: (field: TextField) => string) =>
  Object.fromEntries(textFields.map((field) => [field, of(field)])) as Record<TextField, string>;

export const noAgent: AgentDraft = {
  ...{ name: '', description: '', instructions: '', ...texts(() => '') },
  ...{ tools: undefined, proof: undefined, open: [] },
};

const laidOut = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : writeField(value);

const isLaidOut = (field: TextField): boolean => field === 'mcp' || field === 'outputSchema';

export const toDraft = (agent: Agent): AgentDraft => ({
  name: agent.name,
  description: agent.description,
  instructions: agent.instructions,
  ...texts((field) => (isLaidOut(field) ? laidOut(agent[field]) : writeField(agent[field]))),
  ...{ tools: agent.tools, proof: agent.proof, open: agent.open ?? [] },
});

/** The body of a creation. What the agent does not have is undefined. */
export const toNewAgent = ({ tools, proof, open, ...draft }: AgentDraft) => ({
  ...{ name: draft.name, description: draft.description, instructions: draft.instructions },
  ...Object.fromEntries(textFields.map((field) => [field, readText(draft[field])])),
  ...{ tools, proof, open: open.length > 0 ? open : undefined },
});

/** Null takes a field away. */
export const toAgentPatch = (draft: AgentDraft): Record<string, unknown> =>
  Object.fromEntries(Object.entries(toNewAgent(draft)).map(([field, value]) => [field, value ?? null]));

/** While a text is no JSON yet, it is shown and sent as it is. */
function readText(text: string): unknown {
  try {
    return readField(text.trim());
  } catch {
    return text;
  }
}

/** What is wrong with the servers of tools as they are typed; empty if nothing is. */
export const serversProblem = (text: string): string =>
  text.trim() === '' || Array.isArray(readText(text)) ? '' : 'This is no list in JSON yet.';

/** A definition in lines, its instructions last. */
export function tellDefinition({ instructions, ...content }: Agent | AgentVersion): string {
  const settings = [...textFields, 'tools', 'proof', 'open'] as const;
  const lines = settings.flatMap((field) =>
    content[field] === undefined ? [] : [`${field}: ${laidOut(content[field])}`],
  );
  return [...lines, instructions].join('\n');
}
