import { hasAtMost, limits, nameOf, oneOf, shownAs, wellFormed } from '@errand/platform';
import { skillFieldSchema } from '@errand/skills';
import { atMostCharacters } from '@errand/versions';
import * as v from 'valibot';
import { remoteServerFields, runFields } from './run-fields.ts';

const { authorization: _, ...serverFields } = remoteServerFields;

const storedServer = shownAs(
  v.strictObject(serverFields),
  v.strictObject({
    ...serverFields,
    authorization: v.optional(v.never('is not kept with an agent: the catalogue alone keeps secrets')),
  }),
);

/** A longer name is no skill's. What answers say of an agent has it. */
const storedSkill = shownAs(
  skillFieldSchema,
  v.pipe(
    skillFieldSchema,
    v.check(
      (skill) => hasAtMost(typeof skill === 'string' ? skill : skill.name, limits.skillNameCharacters),
      `must have a name of at most ${limits.skillNameCharacters} characters`,
    ),
  ),
);

/** The fields of an agent that it may leave open to its runs. */
export const openFields = [
  'model',
  'tools',
  'mcp',
  'skills',
  'outputSchema',
  'proof',
  'approve',
  'effort',
  'maxCredits',
] as const;

/** What an agent says of its runs. It has versions; the agent's name, description and switch have none. */
export const agentDefinitionSchema = v.object({
  instructions: v.pipe(
    v.string('must be a string'),
    v.check((text) => text.trim() !== '', 'must not be empty'),
    atMostCharacters(limits.skillInstructionsCharacters),
    wellFormed,
    v.description('What the agent is told before every question.'),
    v.metadata({ minLength: 1, maxLength: limits.skillInstructionsCharacters }),
  ),
  model: v.optional(runFields.model),
  tools: v.optional(runFields.tools),
  mcp: v.optional(
    v.pipe(
      v.array(
        v.union(
          [nameOf('The name of a server that the operator offers.'), storedServer],
          'must be the name of a server or { label, url, allowedTools, repeat }, without an authorization',
        ),
      ),
      v.maxLength(limits.remoteServersPerRun, `must have at most ${limits.remoteServersPerRun} entries`),
      v.description('Servers of tools that its runs may use beside their own (Model Context Protocol).'),
    ),
  ),
  skills: v.optional(storedSkill),
  outputSchema: v.optional(runFields.outputSchema),
  proof: v.optional(runFields.proof),
  approve: v.optional(runFields.approve),
  effort: v.optional(runFields.effort),
  maxCredits: v.optional(runFields.maxCredits),
  open: v.optional(
    v.pipe(
      v.array(oneOf(openFields)),
      v.maxLength(openFields.length, `must have at most ${openFields.length} entries`),
      v.description('The fields that a run may replace. It may narrow the others.'),
    ),
  ),
});

/** `outputSchema` is the text that `readSchema` gives, its keys in the order of the author. */
export type AgentDefinition = v.InferOutput<typeof agentDefinitionSchema>;
