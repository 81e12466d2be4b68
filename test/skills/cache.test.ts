import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { limits, type Principal, sha256Hex } from '@errand/platform';
import {
  createSkill,
  deleteSkill,
  importUnversionedSkill,
  resolveSkill,
  type SkillRoutesDeps,
  type StoredSkill,
  updateSkill,
} from '@errand/skills';
import type { Owner } from '@errand/versions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Process, removeContent, removeCopy, startProcess } from './processes.ts';
import { type SkillService, startSkillService } from './support.ts';

let service: SkillService;
/** The process that resolves, with nothing in its memory, and the one that writes. */
let here: Process;
let elsewhere: SkillRoutesDeps;
let principal: Principal & { organisationId: string };
let name: string;
let count = 0;
beforeAll(async () => {
  service = await startSkillService();
  elsewhere = service.deps;
});
beforeEach(() => {
  count++;
  principal = { keyId: 'k', accountId: `account-${count}`, organisationId: `organisation-${count}` };
  name = `skill-${count}`;
  here = startProcess(service);
});
afterAll(() => service.close());

const own = (): Owner => ({ scope: 'user', accountId: principal.accountId });
const team = (): Owner => ({ scope: 'organisation', organisationId: principal.organisationId });
const provider: Owner = { scope: 'provider' };
const create = (owner: Owner, instructions = 'one', on = elsewhere) =>
  createSkill(on, owner, { name, instructions });
const publish = (id: string, instructions = 'two', on = elsewhere) =>
  updateSkill(on, 'operator', id, { instructions });
const resolve = (field: unknown = name, on: SkillRoutesDeps = here) => resolveSkill(on, principal, field);
const requests = (field: unknown = name) => here.count(() => resolve(field).catch(() => undefined));
/** Naming the skill with an `If-Match`. */
const match = (ifMatch: string, field: unknown = name, as: Principal = principal) =>
  resolveSkill(here, as, field, { ifMatch });
const matchRequests = (ifMatch: string, field?: unknown) =>
  here.count(() => match(ifMatch, field).catch(() => undefined));
const tagOf = ({ row }: StoredSkill) => `"${row.revision}-${row.id}"`;
const digestOf = (instructions: string) => `"${sha256Hex(instructions)}"`;
const saying = (instructions: string, id?: string) =>
  expect.objectContaining({ contentHash: sha256Hex(instructions), ...(id && { id }) });
const refused = (reason: string) => ({ code: 'skill_unresolved', details: { reason, name } });
const later = (milliseconds: number) => service.deps.clock.advance(milliseconds);

describe('DynamoDB requests', () => {
  test('the first use of a skill of any scope takes one, by its name or by its current version; the next takes none', async () => {
    for (const owner of [provider, team(), own()]) {
      const { row } = await create(owner);
      await publish(row.id);
      for (const field of [name, { name, version: 2 }]) {
        here = startProcess(service);
        expect([await requests(field), await requests(field)]).toEqual([1, 0]);
        expect(await resolve(field)).toEqual(saying('two', row.id));
      }
    }
  });

  test('an earlier version of a skill takes two, then none', async () => {
    const { row } = await create(own());
    await publish(row.id);
    const field = { name, version: 1 };
    expect([await requests(field), await requests(field), await requests()]).toEqual([2, 0, 1]);
    expect(await resolve(field)).toEqual(saying('one'));
  });

  test('a name takes one after the time of the cache, and its content is not read again', async () => {
    const { row } = await create(team());
    const asked: unknown[] = [];
    here = startProcess(service, { before: (_, __, input) => void asked.push(input) });
    await resolve();
    await removeContent(elsewhere, row.id, 1);
    await removeCopy(elsewhere, row);
    later(limits.keyCacheMilliseconds - 1);
    expect(await requests()).toBe(0);
    later(1);
    expect([await requests(), await requests()]).toEqual([1, 0]);
    expect(await resolve()).toEqual(saying('one', row.id));
    expect(asked.map((input) => JSON.stringify(input).includes('current#'))).toEqual([true, false]);
  });

  test('an unknown, unpublished or disabled skill takes one each time', async () => {
    expect([await requests(), await requests()]).toEqual([1, 1]);
    const { row } = await create(own());
    await resolve();
    expect([await requests({ name, version: 2 }), await requests({ name, version: 2 })]).toEqual([1, 1]);
    later(limits.keyCacheMilliseconds);
    await updateSkill(elsewhere, 'operator', row.id, { enabled: false });
    expect([await requests(), await requests()]).toEqual([1, 1]);
  });

  test('a skill from before versions existed takes one, then none, until it has a version', async () => {
    const { row } = await importUnversionedSkill(elsewhere, own(), { name, instructions: 'old' });
    expect([await requests(), await requests()]).toEqual([1, 0]);
    expect(await resolve()).not.toHaveProperty('version');
    await publish(row.id, 'new', here);
    expect(await resolve()).toMatchObject({ version: 1, contentHash: sha256Hex('new') });
  });
});

describe('what another process writes', () => {
  test('a new version is used when the time of the cache is over at the latest, and then takes two requests', async () => {
    const { row } = await create(own());
    await resolve();
    await publish(row.id);
    later(limits.keyCacheMilliseconds - 1);
    expect(await resolve()).toEqual(saying('one'));
    later(1);
    expect(await requests()).toBe(2);
    expect(await resolve()).toMatchObject({ version: 2, contentHash: sha256Hex('two') });
  });

  test('a deleted skill is unknown once the time of the cache is over at the latest, and at once where its content must be read', async () => {
    const { row } = await create(own());
    await publish(row.id);
    await resolve();
    await deleteSkill(elsewhere, 'operator', row.id);
    later(limits.keyCacheMilliseconds - 1);
    expect(await resolve()).toEqual(saying('two'));
    await expect(resolve({ name, version: 1 })).rejects.toMatchObject(refused('unknown'));
    await expect(resolve()).rejects.toMatchObject(refused('unknown'));
  });

  test('a deleted skill takes one request after the time of the cache, and is unknown', async () => {
    const { row } = await create(own());
    await resolve();
    await deleteSkill(elsewhere, 'operator', row.id);
    later(limits.keyCacheMilliseconds);
    expect(await requests()).toBe(1);
    await expect(resolve()).rejects.toMatchObject(refused('unknown'));
  });

  test('a new skill with the name of a deleted skill never has the deleted instructions', async () => {
    const first = await create(own());
    await resolve();
    await deleteSkill(elsewhere, 'operator', first.row.id);
    const second = await create(own(), 'another');
    later(limits.keyCacheMilliseconds);
    expect(await resolve({ name, version: 1 })).toEqual(saying('another', second.row.id));
  });

  test('a skill that the cache would refuse is looked up: new names, new versions, enabled skills', async () => {
    await expect(resolve()).rejects.toMatchObject(refused('unknown'));
    const { row } = await create(team());
    expect(await resolve()).toEqual(saying('one'));
    await publish(row.id);
    expect(await resolve({ name, version: 2 })).toEqual(saying('two'));
    await updateSkill(elsewhere, 'operator', row.id, { enabled: false });
    later(limits.keyCacheMilliseconds);
    await expect(resolve()).rejects.toMatchObject(refused('unknown'));
    await updateSkill(elsewhere, 'operator', row.id, { enabled: true });
    expect(await resolve()).toEqual(saying('two'));
  });
});

describe('a request with If-Match', () => {
  const changed = () => ({ code: 'skill_changed', details: { name } });

  test.each<[string, (edited: StoredSkill) => string]>([
    ['its tag', tagOf],
    ['the tag of its SKILL.md', ({ row }) => `"${row.revision}-${row.id}-markdown"`],
    ['its digest', ({ content }) => `"${content.contentHash}"`],
    ['one of several tags', (edited) => `"0", ${tagOf(edited)}`],
  ])(
    'uses what another process has just written by %s, for one request, and the next take none',
    async (_, say) => {
      const { row } = await create(own());
      await resolve();
      const edited = await publish(row.id);
      expect([await matchRequests(say(edited)), await matchRequests(say(edited)), await requests()]).toEqual([
        1, 0, 0,
      ]);
      expect(await match(say(edited))).toEqual(saying('two', row.id));
      expect(await match(say(edited), { name, version: 2 })).toMatchObject({ version: 2 });
    },
  );

  test('takes no request more where the process knows the skill as it says, nor with *', async () => {
    const first = await create(own());
    const edited = await publish(first.row.id);
    here = startProcess(service);
    expect([await matchRequests(tagOf(edited)), await matchRequests(digestOf('two'))]).toEqual([1, 0]);
    expect([await matchRequests('*'), await requests()]).toEqual([0, 0]);
    later(limits.keyCacheMilliseconds);
    expect([await matchRequests(tagOf(edited)), await matchRequests(tagOf(edited))]).toEqual([1, 0]);
  });

  test('is refused where the store has another, after one request each time, and drops nothing that is known', async () => {
    const first = await create(own());
    await create(provider, 'all');
    const neighbour = { keyId: 'k', accountId: `neighbour-${count}` };
    await resolveSkill(here, neighbour, name);
    await resolve();
    await expect(match('"0"')).rejects.toMatchObject(changed());
    for (let version = 2; version < 12; version++) {
      expect(await matchRequests(`"${version}-${first.row.id}"`)).toBe(1);
      expect(await requests({ name, version })).toBe(1);
    }
    expect(await here.count(() => resolveSkill(here, neighbour, name))).toBe(0);
    expect(await requests()).toBe(0);
  });

  test('is refused by the tag before the last edit, once the process has seen the edit', async () => {
    const first = await create(own());
    const edited = await publish(first.row.id);
    await match(tagOf(edited));
    await expect(match(tagOf(first))).rejects.toMatchObject(changed());
    await expect(match(`W/${tagOf(edited)}`)).rejects.toMatchObject(changed());
  });

  test('never gets a deleted skill for a new one of its name and number of edits', async () => {
    const first = await create(own());
    await resolve();
    await deleteSkill(elsewhere, 'operator', first.row.id);
    const second = await create(own(), 'another');
    expect(await match(tagOf(second))).toEqual(saying('another', second.row.id));
    await expect(match(tagOf(first))).rejects.toMatchObject(changed());
  });

  test('gets a skill that has just taken precedence', async () => {
    await create(team());
    await resolve();
    const mine = await create(own(), 'mine');
    expect(await resolve()).toEqual(saying('one'));
    expect(await match(tagOf(mine))).toEqual(saying('mine', mine.row.id));
  });

  test('has the digest of the version that it names', async () => {
    const { row } = await create(own());
    await publish(row.id);
    expect(await match(digestOf('one'), { name, version: 1 })).toEqual(saying('one', row.id));
    await expect(match(digestOf('two'), { name, version: 1 })).rejects.toMatchObject(changed());
  });

  test('gets neither a disabled skill nor what others have under the name', async () => {
    const mine = await create(own(), 'mine');
    const theirs = await createSkill(
      elsewhere,
      { scope: 'user', accountId: 'somebody-else' },
      { name, instructions: 'theirs' },
    );
    for (const tag of [tagOf(theirs), digestOf('theirs')])
      await expect(match(tag)).rejects.toMatchObject(changed());
    const disabled = await updateSkill(elsewhere, 'operator', mine.row.id, { enabled: false });
    await expect(match(tagOf(disabled))).rejects.toMatchObject(refused('disabled'));
    await create(team(), 'team');
    for (const tag of [tagOf(disabled), digestOf('mine')])
      await expect(match(tag)).rejects.toMatchObject(changed());
  });

  test('without a skill asks for nothing', async () => {
    const unnamed = () => resolveSkill(here, principal, undefined, { ifMatch: '"0"' });
    expect(await here.count(unnamed)).toBe(0);
    expect(await unnamed()).toBeUndefined();
  });
});

describe('what this process writes is used at once', () => {
  test.each<[string, (owner: Owner) => Promise<void>]>([
    [
      'a skill of higher precedence',
      async () => {
        await resolve();
        await create(own(), 'mine', here);
        expect(await resolve()).toEqual(saying('mine'));
      },
    ],
    [
      'a version',
      async (owner) => {
        const { row } = await create(owner);
        await resolve();
        await publish(row.id, 'two', here);
        expect(await resolve()).toEqual(saying('two'));
      },
    ],
    [
      'a switch',
      async (owner) => {
        const { row } = await create(owner);
        await resolve();
        await updateSkill(here, 'operator', row.id, { enabled: false });
        expect(await resolve()).toEqual(saying('all'));
        await updateSkill(here, 'operator', row.id, { enabled: true });
        expect(await resolve()).toEqual(saying('one'));
      },
    ],
    [
      'a name',
      async (owner) => {
        const { row } = await create(owner);
        await resolve();
        await updateSkill(here, 'operator', row.id, { name: `${name}-b` });
        expect(await resolve()).toEqual(saying('all'));
        expect(await resolve(`${name}-b`)).toEqual(saying('one', row.id));
      },
    ],
    [
      'a deletion',
      async (owner) => {
        const { row } = await create(owner);
        await resolve();
        await deleteSkill(here, 'operator', row.id);
        expect(await resolve()).toEqual(saying('all'));
      },
    ],
  ])('%s', async (_, check) => {
    await create(provider, 'all');
    await check(team());
  });

  test('a write whose answer is lost', async () => {
    const { row } = await create(own());
    here = startProcess(service, {
      after: (_, command) => {
        if (command === 'TransactWriteItemsCommand') throw new Error('lost');
      },
    });
    await resolve();
    await expect(publish(row.id, 'two', here)).rejects.toThrow('lost');
    expect(await resolve()).toEqual(saying('two'));
  });

  test('a write that overtakes a read is not undone by what the read saw', async () => {
    const { row } = await create(own());
    here = startProcess(service, {
      after: async (index) => {
        if (index === 0) await publish(row.id, 'two', here);
      },
    });
    expect(await resolve()).toEqual(saying('one'));
    expect(await resolve()).toEqual(saying('two'));
  });
});

describe('skills that an earlier release wrote', () => {
  const asEarlierRelease = async () => {
    const stored = await create(own());
    await removeCopy(elsewhere, stored.row);
    return stored;
  };

  test('take two requests at their first use, then none, and one again once they are written', async () => {
    const { row } = await asEarlierRelease();
    expect([await requests(), await requests()]).toEqual([2, 0]);
    expect(await resolve()).toEqual(saying('one', row.id));
    await publish(row.id);
    here = startProcess(service);
    expect(await requests()).toBe(1);
  });

  test('take one request under a new name', async () => {
    const { row } = await asEarlierRelease();
    await updateSkill(elsewhere, 'operator', row.id, { name: `${name}-b` });
    expect(await requests(`${name}-b`)).toBe(1);
    expect(await resolve(`${name}-b`)).toEqual(saying('one', row.id));
  });

  test('are deleted whole', async () => {
    const { row } = await asEarlierRelease();
    await deleteSkill(elsewhere, 'operator', row.id);
    await expect(resolve()).rejects.toMatchObject(refused('unknown'));
  });

  test.each(['the version before', 'a skill that it deleted'])(
    'a copy of %s that the earlier release left is never used',
    async (left) => {
      const { row, content } = await create(own());
      await publish(row.id);
      const id = left === 'the version before' ? row.id : `skill_${'0'.repeat(20)}`;
      const stale = { ...content, id, number: id === row.id ? 1 : 2, pk: row.owner, sk: `current#${name}` };
      await elsewhere.dynamodb.send(new PutCommand({ TableName: elsewhere.tables.skills, Item: stale }));
      expect(await resolve()).toMatchObject({ version: 2, contentHash: sha256Hex('two') });
    },
  );
});

test('content that does not match its record is never cached', async () => {
  const { row } = await create(own());
  const change = (instructions: string) =>
    elsewhere.dynamodb.send(
      new UpdateCommand({
        TableName: elsewhere.tables.skills,
        Key: { pk: row.owner, sk: `current#${name}` },
        UpdateExpression: 'SET instructions = :other',
        ExpressionAttributeValues: { ':other': instructions },
      }),
    );
  await change('other');
  expect(await resolve()).not.toHaveProperty('version');
  await change('one');
  later(limits.keyCacheMilliseconds);
  expect(await resolve()).toMatchObject({ version: 1, contentHash: sha256Hex('one') });
});
