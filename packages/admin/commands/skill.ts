import { silentLog } from '@errand/platform';
import {
  createSkill,
  deleteSkill,
  describeSkill,
  importUnversionedSkill,
  listOwnedSkills,
  type SkillsDeps,
  type StoredSkill,
  updateSkill,
  validateNewSkill,
  validateSkillPatch,
} from '@errand/skills';
import { defineCommand, type Outcome, type Store } from '../command.ts';
import { UsageError } from '../refusal.ts';
import { readFlag } from '../values.ts';
import { namedLine } from './named-line.ts';
import { orRefuseNamed } from './named-refusal.ts';
import { checkOwner, findOwner, ownerOptions } from './owner-options.ts';
import { readTextFile } from './read-text-file.ts';

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
    const instructions = await readTextFile(instructionsFile);
    const input = { name, instructions, description };
    const add = unversioned ? importUnversionedSkill : createSkill;
    const work = async () => add(skillsOf(store), await findOwner(store, values), validateNewSkill(input));
    return outcomeOf(store, await orRefuseNamed('skill', work, name));
  },
});

const list = defineCommand({
  name: 'skill list',
  options: ownerOptions,
  check: checkOwner,
  async run(store, values) {
    const skills = await listOwnedSkills(skillsOf(store), await findOwner(store, values));
    return { json: { skills }, lines: skills.map(namedLine) };
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
      ...(file !== undefined && { instructions: await readTextFile(file) }),
      name,
      description,
    };
    const work = async () => updateSkill(skillsOf(store), 'operator', id, validateSkillPatch(input));
    return outcomeOf(store, await orRefuseNamed('skill', work, id));
  },
});

const remove = defineCommand({
  name: 'skill delete',
  argument: 'ID',
  async run(store, _values, id) {
    await orRefuseNamed('skill', () => deleteSkill(skillsOf(store), 'operator', id), id);
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

function outcomeOf(store: Store, stored: StoredSkill): Outcome {
  const skill = describeSkill(stored, store.config.providerScope);
  return { json: skill, lines: [namedLine(skill)] };
}

export const skillCommands = [create, list, update, remove];
