import { isDeepStrictEqual } from 'node:util';
import { parseEuro } from '@errand/money';
import { DomainError, type Issue, limits } from '@errand/platform';
import type * as v from 'valibot';
import { addApprovals } from './approve.ts';
import type { AgentDefinition, openFields } from './definition.ts';
import { namedServers, narrowServers } from './narrow-servers.ts';
import { type Effort, efforts, type runFields } from './run-fields.ts';

type OpenField = (typeof openFields)[number];

/** What runs and agents say of a run, by field. */
type Said = {
  -readonly [Name in keyof typeof runFields]?: v.InferOutput<(typeof runFields)[Name]>;
} & { skills?: unknown; effort?: Effort };

interface Narrowing<Value> {
  /** What a run may say, after the field's name. */
  words: string;
  /** What holds of a run that says its own. Undefined if that is more than the agent has. */
  narrow(agents: Value, runs: Value): Value | undefined;
  /** What an agent has that says nothing of the field. Without it, a run may say what it likes. */
  without?: Value;
  /** What a run means by its own where the field is open. */
  read?(agents: Value, runs: Value): Value;
}

const theSame = <Value>(): Narrowing<Value> => ({
  words: "must be the agent's",
  narrow: (agents, runs) => (isDeepStrictEqual(agents, runs) ? runs : undefined),
});

const atMost = <Value>(rank: (value: Value) => number): Narrowing<Value> => ({
  words: "must be at most the agent's",
  narrow: (agents, runs) => (rank(runs) <= rank(agents) ? runs : undefined),
});

/** What a run may say of an agent's field that is not open. */
const narrowings: { [Name in OpenField]: Narrowing<NonNullable<Said[Name]>> } = {
  tools: {
    words: "must be among the agent's",
    narrow: (agents, runs) => (runs.every((tool) => agents.includes(tool)) ? runs : undefined),
  },
  mcp: {
    words: "must be among the agent's servers, with no more of their tools",
    narrow: narrowServers,
    without: [],
    read: namedServers,
  },
  maxCredits: atMost((amount) => parseEuro(amount) ?? 0),
  effort: atMost((effort) => efforts.indexOf(effort)),
  approve: { words: "may not have a model approve what the agent's asks about", narrow: addApprovals },
  model: theSame(),
  skills: theSame(),
  outputSchema: theSame(),
  proof: theSame(),
};

const names = Object.keys(narrowings) as OpenField[];

/**
 * What a run by this agent is: what its creation says, where the agent lets it, and what the agent says. Throws `invalid_request` for
 * what is wider than the agent in a field that it does not leave open.
 */
export function applyAgent<Body extends Said & { approveThreshold?: number }>(
  { name: agent, definition }: { name: string; definition: AgentDefinition },
  body: Body,
): Body {
  const issues: Issue[] = [];
  const refuse = (field: string, words: string) =>
    issues.push({ field, problem: `${words}: "${agent}" does not leave it open` });
  const said: Record<string, unknown> = {};
  for (const name of names) {
    const { words, narrow, read, without } = narrowings[name] as Narrowing<unknown>;
    const [agents, runs] = [definition[name] ?? without, body[name]];
    if (runs === undefined || agents === undefined) said[name] = runs ?? definition[name];
    else {
      const isReplaced = isOpen(definition, name);
      said[name] = isReplaced ? (read?.(agents, runs) ?? runs) : narrow(agents, runs);
      if (said[name] === undefined) refuse(name, words);
    }
  }
  const { approveThreshold = limits.approveThreshold } = body;
  const isJudged = definition.approve?.includes('auto') && !isOpen(definition, 'approve');
  if (isJudged && approveThreshold < limits.approveThreshold)
    refuse('approveThreshold', `must be at least ${limits.approveThreshold}`);
  if (issues.length > 0) throw new DomainError('invalid_request', { issues });
  const given = Object.entries(said).filter(([, value]) => value !== undefined);
  return { ...body, ...Object.fromEntries(given) };
}

const isOpen = ({ open = [] }: AgentDefinition, name: OpenField): boolean => open.includes(name);
