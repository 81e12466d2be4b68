import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Principal } from '@errand/platform';
import {
  createSkill,
  deleteSkill,
  importUnversionedSkill,
  resolveSkill,
  type SkillRoutesDeps,
  sweepDeletedSkills,
  updateSkill,
} from '@errand/skills';
import type { Owner } from '@errand/versions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { expectNothingLeftOver, expectWholeSkills, type Item, scanSkills } from './invariants.ts';
import { type SkillService, startSkillService } from './support.ts';

const principal: Principal = { keyId: 'k', accountId: 'a' };
const owner: Owner = { scope: 'user', accountId: 'a' };

let service: SkillService;
let deps: SkillRoutesDeps;
/** The skills with which every test begins, and the items of the table that holds them. */
let ids: Prepared;
let start: Item[];
beforeAll(async () => {
  service = await startSkillService();
  deps = { ...service.deps, wait: async () => {} };
  ids = await prepare();
  start = await scanSkills(deps);
});
beforeEach(() => restoreTable(start));
afterAll(() => service.close());

/** Puts the table back to these items. */
async function restoreTable(wanted: readonly Item[]): Promise<void> {
  const kept = new Set(wanted.map(({ pk, sk }) => pk + sk));
  const surplus = (await scanSkills(deps)).filter(({ pk, sk }) => !kept.has(pk + sk));
  const writes = [
    ...surplus.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
    ...wanted.map((Item) => ({ PutRequest: { Item } })),
  ];
  for (let i = 0; i < writes.length; i += 25)
    await deps.dynamodb.send(
      new BatchWriteCommand({ RequestItems: { [deps.tables.skills]: writes.slice(i, i + 25) } }),
    );
}

/**
 * Runs `work` as a process that is killed at its `at`-th command: before the command is sent, or after it was carried
 * out and before its answer arrives. True if the work ended before that command.
 */
async function killedAt(
  at: number,
  moment: 'before' | 'after',
  work: (deps: SkillRoutesDeps) => Promise<unknown>,
): Promise<boolean> {
  let reached = false;
  const die = (index: number) => {
    if (index < at) return;
    reached = true;
    throw new Error('killed');
  };
  const dead = (index: number) => {
    if (index > at) die(index);
  };
  const hooks = moment === 'before' ? { before: die } : { before: dead, after: die };
  await work({ ...deps, dynamodb: connect(service.dynamo, hooks) }).catch(() => undefined);
  return !reached;
}

const longLived = 130;

async function prepare(): Promise<{ id: string; unversioned: string; neighbour: string }> {
  const { row } = await createSkill(deps, owner, { name: 'subject', instructions: 'version 1' });
  for (let i = 2; i <= longLived; i++)
    await updateSkill(deps, principal, row.id, { instructions: `version ${i}` });
  const old = await importUnversionedSkill(deps, owner, { name: 'old', instructions: 'old' });
  const other = await createSkill(deps, owner, { name: 'neighbour', instructions: 'stays' });
  return { id: row.id, unversioned: old.row.id, neighbour: other.row.id };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

const works: [string, (deps: SkillRoutesDeps, ids: Prepared) => Promise<unknown>][] = [
  ['a creation', (on) => createSkill(on, owner, { name: 'new', instructions: 'x' })],
  ['an import', (on) => importUnversionedSkill(on, owner, { name: 'new', instructions: 'x' })],
  ['a new version', (on, { id }) => updateSkill(on, principal, id, { instructions: 'x' })],
  [
    'a first version',
    (on, { unversioned }) => updateSkill(on, principal, unversioned, { instructions: 'x' }),
  ],
  ['a new name', (on, { id }) => updateSkill(on, principal, id, { name: 'renamed' })],
  [
    'a new name and version',
    (on, { id }) => updateSkill(on, principal, id, { name: 'renamed', instructions: 'x' }),
  ],
  ['a deletion', (on, { id }) => deleteSkill(on, principal, id)],
  ['the deletion of an unversioned one', (on, { unversioned }) => deleteSkill(on, principal, unversioned)],
];

describe('a process killed between any two commands leaves whole skills, and the next write tidies up', () => {
  test.each(works)('%s', async (_, work) => {
    for (const moment of ['before', 'after'] as const) {
      let completed = false;
      for (let at = 0; !completed; at++) {
        await restoreTable(start);
        completed = await killedAt(at, moment, (on) => work(on, ids));
        await expectWholeSkills(deps);
        expect(await resolveSkill(deps, principal, 'neighbour')).toMatchObject({ version: 1 });
        await createSkill(deps, owner, { name: 'later', instructions: 'x' });
        await expectNothingLeftOver(deps);
      }
    }
  });
});

test('a deletion killed at any command after its first write has deleted: no id, no name, no version answers', async () => {
  const { id } = ids;
  let deaths = 0;
  for (let at = 2, completed = false; !completed; at++, deaths++) {
    await restoreTable(start);
    completed = await killedAt(at, 'before', (on) => deleteSkill(on, principal, id));
    for (const field of ['subject', { name: 'subject', version: 1 }])
      await expect(resolveSkill(deps, principal, field)).rejects.toMatchObject({
        details: { reason: 'unknown' },
      });
    const again = await createSkill(deps, owner, { name: 'subject', instructions: 'another' });
    expect(again.row.version).toBe(1);
    const pinned = resolveSkill(deps, principal, { name: 'subject', version: 2 });
    await expect(pinned).rejects.toMatchObject({ details: { reason: 'unknown_version' } });
    await expectNothingLeftOver(deps);
  }
  expect(deaths).toBeGreaterThan(5);
});

test('a sweep that is killed again and again goes on where it stopped, and ends', async () => {
  await killedAt(2, 'before', (on) => deleteSkill(on, principal, ids.id));
  let completed = false;
  let rounds = 0;
  // Each process gets as far as six commands: the query, the four batches of one step, and the move of the mark.
  for (; !completed && rounds < 20; rounds++) {
    completed = await killedAt(6, 'before', (on) => sweepDeletedSkills(on, owner));
    await expectWholeSkills(deps);
  }
  expect([completed, rounds]).toEqual([true, 2]);
  await expectNothingLeftOver(deps);
});

test('two sweeps at once leave nothing, and no mark comes back', async () => {
  await killedAt(2, 'before', (on) => deleteSkill(on, principal, ids.id));
  await Promise.all([sweepDeletedSkills(deps, owner), sweepDeletedSkills(deps, owner)]);
  await expectNothingLeftOver(deps);
});

test('a mark that a slower sweep moves does not come back', async () => {
  await killedAt(2, 'before', (on) => deleteSkill(on, principal, ids.id));
  const dynamodb = connect(service.dynamo, {
    before: async (_, command) => {
      if (command === 'UpdateItemCommand') await sweepDeletedSkills(deps, owner);
    },
    after: (_, command) => {
      if (command === 'UpdateItemCommand') throw new Error('killed');
    },
  });
  await sweepDeletedSkills({ ...deps, dynamodb }, owner);
  await expectNothingLeftOver(deps);
});

test('a creation goes through though the sweep of earlier deletions fails', async () => {
  await killedAt(2, 'before', (on) => deleteSkill(on, principal, ids.id));
  const dynamodb = connect(service.dynamo, {
    before: (_, command) => {
      if (command === 'BatchWriteItemCommand') throw new Error('throttled');
    },
  });
  await createSkill({ ...deps, dynamodb }, owner, { name: 'subject', instructions: 'x' });
  expect(await resolveSkill(deps, principal, 'subject')).toMatchObject({ version: 1 });
  await expectWholeSkills(deps);
});
