import {
  agentFieldErrors,
  createAgent,
  deleteAgent,
  listOwnedAgents,
  resolveAgent,
  type StoredAgentRoutesDeps,
  storedAgentRoutes,
  sweepDeletedAgents,
  updateAgent,
} from '@errand/agents';
import { agentKind } from '@errand/agents/testing';
import { parseCatalogue } from '@errand/models';
import { type ErrorTable, type HttpEnv, type Principal, sha256Hex } from '@errand/platform';
import { agentRoutes } from '@errand/runs';
import {
  createSkill,
  deleteSkill,
  importUnversionedSkill,
  listOwnedSkills,
  resolveSkill,
  type SkillDetail,
  type SkillRoutesDeps,
  skillFieldErrors,
  skillRoutes,
  sweepDeletedSkills,
  updateSkill,
} from '@errand/skills';
import { createNamed, type Editor, type Owner, type Precondition, type Row } from '@errand/versions';
import { Hono } from 'hono';
import { expect } from 'vitest';

export type Deps = SkillRoutesDeps & StoredAgentRoutesDeps;
/** What is answered of a thing of any kind, beside what only its kind has. */
export type Detail = SkillDetail;

export type Summary = Pick<Detail, 'name' | 'enabled' | 'scope' | 'version'>;

interface Input {
  name: string;
  instructions: string;
  description?: string;
}

interface Patch extends Partial<Input> {
  enabled?: boolean;
}

interface Content {
  number: number;
  contentHash: string;
  createdAt: string;
}

export interface Stored {
  row: Row;
  content: Content;
}

interface Used {
  id?: string;
  name: string;
  version?: number;
  contentHash: string;
}

/** A kind of named thing with versions, as one suite tests them all. */
export interface TestedKind {
  noun: 'skill' | 'agent';
  /** The noun with its article, and as answers begin with it. */
  aNoun: string;
  title: string;
  path: string;
  /** What a patch must have one of. */
  patched: string;
  /** How a path names one; whether by its name, which may change. */
  isNamed: boolean;
  at(thing: Pick<Detail, 'id' | 'name'>): string;
  /** What an answer lists, and the keys of each. */
  listed(body: Record<string, unknown[]>): Summary[];
  listedKeys: readonly string[];
  /** Whether the list asks for a key and the switch, as the other routes do. */
  isListGuarded: boolean;
  /** The field that names one in requests. */
  param: string;
  fieldErrors: ErrorTable;
  keys: { row: string; owned: string };
  routes(deps: Deps): Hono<HttpEnv>;
  /** Deps of a service that has the kind switched off, and how its routes answer. */
  off: { deps: { skillsEnabled?: boolean; agentsEnabled?: boolean }; text: string };
  create(deps: Deps, owner: Owner, input: Input): Promise<Stored>;
  importUnversioned(deps: Deps, owner: Owner, input: Input): Promise<Stored>;
  update(deps: Deps, editor: Editor, id: string, patch: Patch, precondition?: Precondition): Promise<Stored>;
  remove(deps: Deps, editor: Editor, id: string): Promise<void>;
  sweep(deps: Deps, owner: Owner): Promise<void>;
  listOwned(deps: Deps, owner: Owner): Promise<(Summary & { id: string })[]>;
  /** `field` is a name, or a name and a version. */
  resolve(deps: Deps, principal: Principal, field: unknown, precondition?: Precondition): Promise<Used>;
  digestOf(instructions: string): string;
  /** What lists of versions tell of each, beside its number, digest and time. */
  recorded: Record<string, unknown>;
  /** The instructions of a stored content, and the content with others, its digest unchanged. */
  instructionsIn(content: Record<string, unknown>): unknown;
  alter<C extends object>(content: C, instructions: string): C;
}

export const skills: TestedKind = {
  noun: 'skill',
  aNoun: 'a skill',
  title: 'Skill',
  path: '/v1/skills',
  patched: 'name, description, instructions and enabled',
  isNamed: false,
  at: ({ id }) => id,
  listed: ({ skills }) => skills as Summary[],
  listedKeys: ['id', 'name', 'description', 'enabled', 'scope', 'version', 'createdAt', 'updatedAt'],
  isListGuarded: true,
  param: 'skills',
  fieldErrors: skillFieldErrors as unknown as ErrorTable,
  keys: { row: 'skill', owned: '' },
  routes: skillRoutes,
  off: { deps: { skillsEnabled: false }, text: 'Skills are not enabled' },
  create: createSkill,
  importUnversioned: importUnversionedSkill,
  update: updateSkill,
  remove: deleteSkill,
  sweep: sweepDeletedSkills,
  listOwned: listOwnedSkills,
  async resolve(...asked) {
    const skill = await resolveSkill(...asked);
    if (!skill) throw new Error('the field is missing');
    return skill;
  },
  digestOf: sha256Hex,
  recorded: { tokens: expect.any(Number) },
  instructionsIn: ({ instructions }) => instructions,
  alter: (content, instructions) => ({ ...content, instructions }),
};

const writer = {
  id: 'writer',
  kind: 'chat',
  upstream: { baseUrl: 'http://127.0.0.1:1', model: 'writer' },
  price: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 },
};
const catalogue = parseCatalogue({ models: [writer] }, () => undefined);

export const agents: TestedKind = {
  noun: 'agent',
  aNoun: 'an agent',
  title: 'Agent',
  path: '/v1/agents',
  patched: 'name, description, enabled and the fields of a definition',
  isNamed: true,
  at: ({ name }) => name,
  // The service's own agent is the first.
  listed: ({ agents: all = [] }) =>
    all.slice(1).map((agent) => ({ ...(agent as Summary), name: (agent as { id: string }).id })),
  listedKeys: ['id', 'displayName', 'description', 'input', 'scope', 'version', 'enabled', 'name'],
  isListGuarded: false,
  param: 'agent',
  fieldErrors: agentFieldErrors as unknown as ErrorTable,
  keys: { row: 'row', owned: 'agent-' },
  routes: (deps) =>
    new Hono<HttpEnv>()
      .route('/', storedAgentRoutes(deps))
      .route('/', agentRoutes(deps.accounts, deps, catalogue)),
  off: { deps: { agentsEnabled: false }, text: 'Agent service is not enabled' },
  create: createAgent,
  importUnversioned: (deps, owner, input) => createNamed(agentKind, deps, owner, input, null),
  update: updateAgent,
  remove: deleteAgent,
  sweep: sweepDeletedAgents,
  listOwned: listOwnedAgents,
  resolve: (deps, principal, field, precondition) =>
    resolveAgent(
      deps,
      principal,
      typeof field === 'string' ? { name: field } : (field as Used),
      precondition,
    ),
  digestOf: (instructions) => sha256Hex(JSON.stringify({ instructions })),
  recorded: {},
  instructionsIn: ({ definition }) => JSON.parse(String(definition)).instructions,
  alter: (content, instructions) => ({ ...content, definition: JSON.stringify({ instructions }) }),
};

export const kinds = [skills, agents];
