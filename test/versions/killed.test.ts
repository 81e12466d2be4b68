import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Principal } from '@errand/platform';
import type { Owner } from '@errand/versions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { expectNothingLeftOver, expectWhole, type Item, scanTable } from './invariants.ts';
import { type Deps, kinds } from './kinds.ts';
import { type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  const principal: Principal = { keyId: 'k', accountId: 'a' };
  const owner: Owner = { scope: 'user', accountId: 'a' };

  let service: NamedService;
  let deps: Deps;
  /** The things with which every test begins, and the items of the table that holds them. */
  let ids: Prepared;
  let start: Item[];
  beforeAll(async () => {
    service = await startService(kind);
    deps = { ...service.deps, wait: async () => {} };
    ids = await prepare();
    start = await scanTable(deps);
  });
  beforeEach(() => restoreTable(start));
  afterAll(() => service.close());

  /** Puts the table back to these items. */
  async function restoreTable(wanted: readonly Item[]): Promise<void> {
    const kept = new Set(wanted.map(({ pk, sk }) => pk + sk));
    const surplus = (await scanTable(deps)).filter(({ pk, sk }) => !kept.has(pk + sk));
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
    work: (deps: Deps) => Promise<unknown>,
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
    const { row } = await kind.create(deps, owner, { name: 'subject', instructions: 'version 1' });
    for (let i = 2; i <= longLived; i++)
      await kind.update(deps, principal, row.id, { instructions: `version ${i}` });
    const old = await kind.importUnversioned(deps, owner, { name: 'old', instructions: 'old' });
    const other = await kind.create(deps, owner, { name: 'neighbour', instructions: 'stays' });
    return { id: row.id, unversioned: old.row.id, neighbour: other.row.id };
  }

  type Prepared = Awaited<ReturnType<typeof prepare>>;

  const works: [string, (deps: Deps, ids: Prepared) => Promise<unknown>][] = [
    ['a creation', (on) => kind.create(on, owner, { name: 'new', instructions: 'x' })],
    ['an import', (on) => kind.importUnversioned(on, owner, { name: 'new', instructions: 'x' })],
    ['a new version', (on, { id }) => kind.update(on, principal, id, { instructions: 'x' })],
    [
      'a first version',
      (on, { unversioned }) => kind.update(on, principal, unversioned, { instructions: 'x' }),
    ],
    ['a new name', (on, { id }) => kind.update(on, principal, id, { name: 'renamed' })],
    [
      'a new name and version',
      (on, { id }) => kind.update(on, principal, id, { name: 'renamed', instructions: 'x' }),
    ],
    ['a deletion', (on, { id }) => kind.remove(on, principal, id)],
    ['the deletion of an unversioned one', (on, { unversioned }) => kind.remove(on, principal, unversioned)],
  ];

  describe('a process killed between any two commands leaves whole things, and the next write tidies up', () => {
    test.each(works)('%s', async (_, work) => {
      for (const moment of ['before', 'after'] as const) {
        let completed = false;
        for (let at = 0; !completed; at++) {
          await restoreTable(start);
          completed = await killedAt(at, moment, (on) => work(on, ids));
          await expectWhole(kind, deps);
          expect(await kind.resolve(deps, principal, 'neighbour')).toMatchObject({ version: 1 });
          await kind.create(deps, owner, { name: 'later', instructions: 'x' });
          await expectNothingLeftOver(kind, deps);
        }
      }
    });
  });

  test('a deletion killed at any command after its first write has deleted: no id, no name, no version answers', async () => {
    const { id } = ids;
    let deaths = 0;
    for (let at = 2, completed = false; !completed; at++, deaths++) {
      await restoreTable(start);
      completed = await killedAt(at, 'before', (on) => kind.remove(on, principal, id));
      for (const field of ['subject', { name: 'subject', version: 1 }])
        await expect(kind.resolve(deps, principal, field)).rejects.toMatchObject({
          details: { reason: 'unknown' },
        });
      const again = await kind.create(deps, owner, { name: 'subject', instructions: 'another' });
      expect(again.row.version).toBe(1);
      const pinned = kind.resolve(deps, principal, { name: 'subject', version: 2 });
      await expect(pinned).rejects.toMatchObject({ details: { reason: 'unknown_version' } });
      await expectNothingLeftOver(kind, deps);
    }
    expect(deaths).toBeGreaterThan(5);
  });

  test('a sweep that is killed again and again goes on where it stopped, and ends', async () => {
    await killedAt(2, 'before', (on) => kind.remove(on, principal, ids.id));
    let completed = false;
    let rounds = 0;
    // Each process gets as far as six commands: the query, the four batches of one step, and the move of the mark.
    for (; !completed && rounds < 20; rounds++) {
      completed = await killedAt(6, 'before', (on) => kind.sweep(on, owner));
      await expectWhole(kind, deps);
    }
    expect([completed, rounds]).toEqual([true, 2]);
    await expectNothingLeftOver(kind, deps);
  });

  test('two sweeps at once leave nothing, and no mark comes back', async () => {
    await killedAt(2, 'before', (on) => kind.remove(on, principal, ids.id));
    await Promise.all([kind.sweep(deps, owner), kind.sweep(deps, owner)]);
    await expectNothingLeftOver(kind, deps);
  });

  test('a mark that a slower sweep moves does not come back', async () => {
    await killedAt(2, 'before', (on) => kind.remove(on, principal, ids.id));
    const dynamodb = connect(service.dynamo, {
      before: async (_, command) => {
        if (command === 'UpdateItemCommand') await kind.sweep(deps, owner);
      },
      after: (_, command) => {
        if (command === 'UpdateItemCommand') throw new Error('killed');
      },
    });
    await kind.sweep({ ...deps, dynamodb }, owner);
    await expectNothingLeftOver(kind, deps);
  });

  test('a creation goes through though the sweep of earlier deletions fails', async () => {
    await killedAt(2, 'before', (on) => kind.remove(on, principal, ids.id));
    const dynamodb = connect(service.dynamo, {
      before: (_, command) => {
        if (command === 'BatchWriteItemCommand') throw new Error('throttled');
      },
    });
    await kind.create({ ...deps, dynamodb }, owner, { name: 'subject', instructions: 'x' });
    expect(await kind.resolve(deps, principal, 'subject')).toMatchObject({ version: 1 });
    await expectWhole(kind, deps);
  });
});
