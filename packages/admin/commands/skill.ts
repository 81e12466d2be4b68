import { readFile } from 'node:fs/promises';
import { silentLog } from '@errand/platform';
import {
  createSkill,
  deleteSkill,
  describeSkill,
  importUnversionedSkill,
  listOwnedSkills,
  type SkillSummary,
  type SkillsDeps,
  type StoredSkill,
  updateSkill,
  validateNewSkill,
  validateSkillPatch,
} from '@errand/skills';
import { defineCommand, type Outcome, type Store } from '../command.ts';
import { Refusal, UsageError } from '../refusal.ts';
import { readFlag } from '../values.ts';
import { checkOwner, findOwner } from './skill-owner.ts';
import { orRefuseSkill } from './skill-refusal.ts';

const ownerOptions = [
  '--scope <organisation|provider|user>',
  '[--organisation <ORG>]',
  '[--account <A>]',
] as const;

const create = defineCommand({
  name: 'skill create',
  options: [
    ...ownerOptions,
    '--name <N>',
    '--instructions-file <F>',
    '[--description <D>]',
    '[--unversioned]',
  ],
  check: checkOwner,
  async run(store, values) {
    const { name, description, unversioned, instructionsFile } = values;
    const instructions = await readInstructions(instructionsFile);
    const input = { name, instructions, description };
    const add = unversioned ? importUnversionedSkill : createSkill;
    const work = async () => add(skillsOf(store), await findOwner(store, values), validateNewSkill(input));
    return outcomeOf(store, await orRefuseSkill(work, name));
  },
});

const list = defineCommand({
  name: 'skill list',
  options: ownerOptions,
  check: checkOwner,
  async run(store, values) {
    const skills = await listOwnedSkills(skillsOf(store), await findOwner(store, values));
    return { json: { skills }, lines: skills.map(toLine) };
  },
});

const update = defineCommand({
  name: 'skill update',
  argument: 'ID',
  options: ['[--enabled <true|false>]', '[--instructions-file <F>]', '[--name <N>]', '[--description <D>]'],
  check(values) {
    if (Object.keys(values).length === 0) throw new UsageError('there is nothing to update');
  },
  async run(store, values, id) {
    const { enabled, name, description, instructionsFile: file } = values;
    const input = {
      ...(enabled !== undefined && { enabled: readFlag('enabled', enabled) }),
      ...(file !== undefined && { instructions: await readInstructions(file) }),
      name,
      description,
    };
    const work = async () => updateSkill(skillsOf(store), 'operator', id, validateSkillPatch(input));
    return outcomeOf(store, await orRefuseSkill(work, id));
  },
});

const remove = defineCommand({
  name: 'skill delete',
  argument: 'ID',
  async run(store, _values, id) {
    await orRefuseSkill(() => deleteSkill(skillsOf(store), 'operator', id), id);
    return { json: { id }, lines: [`Skill ${id} is deleted`] };
  },
});

/** Operators may manage skills while the feature is switched off. */
const skillsOf = ({ dynamodb, tables, clock, config }: Store): SkillsDeps => ({
  dynamodb,
  tables,
  clock,
  log: silentLog,
  skillsEnabled: true,
  providerScope: config.providerScope,
});

async function readInstructions(file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof TypeError) throw new Refusal(`${file} is not valid UTF-8.`);
    throw new Refusal(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function outcomeOf(store: Store, stored: StoredSkill): Outcome {
  const skill = describeSkill(stored, store.config.providerScope);
  return { json: skill, lines: [toLine(skill)] };
}

const toLine = ({ id, scope, name, version, enabled }: SkillSummary) =>
  [id, scope, name, version === null ? 'unversioned' : `version ${version}`, enabled ? '' : 'disabled']
    .filter(Boolean)
    .join('  ');

export const skillCommands = [create, list, update, remove];
