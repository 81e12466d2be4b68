import { type ErrorTable, type HttpEnv, type Principal, sha256Hex } from '@errand/platform';
import {
  createSkill,
  deleteSkill,
  importUnversionedSkill,
  resolveSkill,
  type SkillDetail,
  type SkillRoutesDeps,
  skillFieldErrors,
  skillRoutes,
  sweepDeletedSkills,
  updateSkill,
} from '@errand/skills';
import type { Editor, Owner, Precondition, Row } from '@errand/versions';
import type { Hono } from 'hono';
import { expect } from 'vitest';

export type Deps = SkillRoutesDeps;
/** What is answered of a thing of any kind, beside what only its kind has. */
export type Detail = SkillDetail;

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
  noun: 'skill';
  /** The noun with its article, and as answers begin with it. */
  aNoun: string;
  title: string;
  path: string;
  /** How a path names one. */
  at(thing: Pick<Detail, 'id' | 'name'>): string;
  /** The list's name in its answer. */
  list: string;
  /** The field that names one in requests. */
  param: string;
  fieldErrors: ErrorTable;
  keys: { row: string; owned: string };
  routes(deps: Deps): Hono<HttpEnv>;
  /** Deps of a service that has the kind switched off, and how its routes answer. */
  off: { deps: { skillsEnabled?: boolean }; text: string };
  create(deps: Deps, owner: Owner, input: Input): Promise<Stored>;
  importUnversioned(deps: Deps, owner: Owner, input: Input): Promise<Stored>;
  update(deps: Deps, editor: Editor, id: string, patch: Patch, precondition?: Precondition): Promise<Stored>;
  remove(deps: Deps, editor: Editor, id: string): Promise<void>;
  sweep(deps: Deps, owner: Owner): Promise<void>;
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
  at: ({ id }) => id,
  list: 'skills',
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

export const kinds = [skills];
