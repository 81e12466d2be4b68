import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { limits, type Principal } from '@errand/platform';
import type { Owner } from '@errand/versions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Deps, kinds, type Stored } from './kinds.ts';
import { type Process, removeContent, removeCopy, startProcess } from './processes.ts';
import { type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  let service: NamedService;
  /** The process that resolves, with nothing in its memory, and the one that writes. */
  let here: Process;
  let elsewhere: Deps;
  let principal: Principal & { organisationId: string };
  let name: string;
  let count = 0;
  beforeAll(async () => {
    service = await startService(kind);
    elsewhere = service.deps;
  });
  beforeEach(() => {
    count++;
    principal = { keyId: 'k', accountId: `account-${count}`, organisationId: `organisation-${count}` };
    name = `thing-${count}`;
    here = startProcess(service);
  });
  afterAll(() => service.close());

  const own = (): Owner => ({ scope: 'user', accountId: principal.accountId });
  const team = (): Owner => ({ scope: 'organisation', organisationId: principal.organisationId });
  const provider: Owner = { scope: 'provider' };
  const create = (owner: Owner, instructions = 'one', on = elsewhere) =>
    kind.create(on, owner, { name, instructions });
  const publish = (id: string, instructions = 'two', on = elsewhere) =>
    kind.update(on, 'operator', id, { instructions });
  const resolve = (field: unknown = name, on: Deps = here) => kind.resolve(on, principal, field);
  const requests = (field: unknown = name) => here.count(() => resolve(field).catch(() => undefined));
  /** Naming the skill with an `If-Match`. */
  const match = (ifMatch: string, field: unknown = name, as: Principal = principal) =>
    kind.resolve(here, as, field, { ifMatch });
  const matchRequests = (ifMatch: string, field?: unknown) =>
    here.count(() => match(ifMatch, field).catch(() => undefined));
  const tagOf = ({ row }: Stored) => `"${row.revision}-${row.id}"`;
  const digestOf = (instructions: string) => `"${kind.digestOf(instructions)}"`;
  const saying = (instructions: string, id?: string) =>
    expect.objectContaining({ contentHash: kind.digestOf(instructions), ...(id && { id }) });
  const refused = (reason: string) => ({ code: `${kind.noun}_unresolved`, details: { reason, name } });
  const later = (milliseconds: number) => service.deps.clock.advance(milliseconds);

  describe('DynamoDB requests', () => {
    test('the first use of one of any scope takes one, by its name or by its current version; the next takes none', async () => {
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

    test('an earlier version takes two, then none', async () => {
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
      await removeContent(kind, elsewhere, row.id, 1);
      await removeCopy(kind, elsewhere, row);
      later(limits.keyCacheMilliseconds - 1);
      expect(await requests()).toBe(0);
      later(1);
      expect([await requests(), await requests()]).toEqual([1, 0]);
      expect(await resolve()).toEqual(saying('one', row.id));
      expect(asked.map((input) => JSON.stringify(input).includes('current#'))).toEqual([true, false]);
    });

    test('an unknown, unpublished or disabled one takes one each time', async () => {
      expect([await requests(), await requests()]).toEqual([1, 1]);
      const { row } = await create(own());
      await resolve();
      expect([await requests({ name, version: 2 }), await requests({ name, version: 2 })]).toEqual([1, 1]);
      later(limits.keyCacheMilliseconds);
      await kind.update(elsewhere, 'operator', row.id, { enabled: false });
      expect([await requests(), await requests()]).toEqual([1, 1]);
    });

    test('one from before versions existed takes one, then none, until it has a version', async () => {
      const { row } = await kind.importUnversioned(elsewhere, own(), { name, instructions: 'old' });
      expect([await requests(), await requests()]).toEqual([1, 0]);
      expect(await resolve()).not.toHaveProperty('version');
      await publish(row.id, 'new', here);
      expect(await resolve()).toMatchObject({ version: 1, contentHash: kind.digestOf('new') });
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
      expect(await resolve()).toMatchObject({ version: 2, contentHash: kind.digestOf('two') });
    });

    test('a deleted one is unknown once the time of the cache is over at the latest, and at once where its content must be read', async () => {
      const { row } = await create(own());
      await publish(row.id);
      await resolve();
      await kind.remove(elsewhere, 'operator', row.id);
      later(limits.keyCacheMilliseconds - 1);
      expect(await resolve()).toEqual(saying('two'));
      await expect(resolve({ name, version: 1 })).rejects.toMatchObject(refused('unknown'));
      await expect(resolve()).rejects.toMatchObject(refused('unknown'));
    });

    test('a deleted one takes one request after the time of the cache, and is unknown', async () => {
      const { row } = await create(own());
      await resolve();
      await kind.remove(elsewhere, 'operator', row.id);
      later(limits.keyCacheMilliseconds);
      expect(await requests()).toBe(1);
      await expect(resolve()).rejects.toMatchObject(refused('unknown'));
    });

    test('a new one with the name of a deleted one never has the deleted instructions', async () => {
      const first = await create(own());
      await resolve();
      await kind.remove(elsewhere, 'operator', first.row.id);
      const second = await create(own(), 'another');
      later(limits.keyCacheMilliseconds);
      expect(await resolve({ name, version: 1 })).toEqual(saying('another', second.row.id));
    });

    test('what the cache would refuse is looked up: new names, new versions, what was enabled', async () => {
      await expect(resolve()).rejects.toMatchObject(refused('unknown'));
      const { row } = await create(team());
      expect(await resolve()).toEqual(saying('one'));
      await publish(row.id);
      expect(await resolve({ name, version: 2 })).toEqual(saying('two'));
      await kind.update(elsewhere, 'operator', row.id, { enabled: false });
      later(limits.keyCacheMilliseconds);
      await expect(resolve()).rejects.toMatchObject(refused('unknown'));
      await kind.update(elsewhere, 'operator', row.id, { enabled: true });
      expect(await resolve()).toEqual(saying('two'));
    });
  });

  describe('a request with If-Match', () => {
    const changed = () => ({ code: `${kind.noun}_changed`, details: { name } });

    test.each<[string, (edited: Stored) => string]>([
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
        expect([
          await matchRequests(say(edited)),
          await matchRequests(say(edited)),
          await requests(),
        ]).toEqual([1, 0, 0]);
        expect(await match(say(edited))).toEqual(saying('two', row.id));
        expect(await match(say(edited), { name, version: 2 })).toMatchObject({ version: 2 });
      },
    );

    test('takes no request more where the process knows the thing as it says, nor with *', async () => {
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
      await kind.resolve(here, neighbour, name);
      await resolve();
      await expect(match('"0"')).rejects.toMatchObject(changed());
      for (let version = 2; version < 12; version++) {
        expect(await matchRequests(`"${version}-${first.row.id}"`)).toBe(1);
        expect(await requests({ name, version })).toBe(1);
      }
      expect(await here.count(() => kind.resolve(here, neighbour, name))).toBe(0);
      expect(await requests()).toBe(0);
    });

    test('is refused by the tag before the last edit, once the process has seen the edit', async () => {
      const first = await create(own());
      const edited = await publish(first.row.id);
      await match(tagOf(edited));
      await expect(match(tagOf(first))).rejects.toMatchObject(changed());
      await expect(match(`W/${tagOf(edited)}`)).rejects.toMatchObject(changed());
    });

    test('never gets a deleted one for a new one of its name and number of edits', async () => {
      const first = await create(own());
      await resolve();
      await kind.remove(elsewhere, 'operator', first.row.id);
      const second = await create(own(), 'another');
      expect(await match(tagOf(second))).toEqual(saying('another', second.row.id));
      await expect(match(tagOf(first))).rejects.toMatchObject(changed());
    });

    test('gets one that has just taken precedence', async () => {
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

    test('gets neither a disabled one nor what others have under the name', async () => {
      const mine = await create(own(), 'mine');
      const theirs = await kind.create(
        elsewhere,
        { scope: 'user', accountId: 'somebody-else' },
        { name, instructions: 'theirs' },
      );
      for (const tag of [tagOf(theirs), digestOf('theirs')])
        await expect(match(tag)).rejects.toMatchObject(changed());
      const disabled = await kind.update(elsewhere, 'operator', mine.row.id, { enabled: false });
      await expect(match(tagOf(disabled))).rejects.toMatchObject(refused('disabled'));
      await create(team(), 'team');
      for (const tag of [tagOf(disabled), digestOf('mine')])
        await expect(match(tag)).rejects.toMatchObject(changed());
    });
  });

  describe('what this process writes is used at once', () => {
    test.each<[string, (owner: Owner) => Promise<void>]>([
      [
        'one of higher precedence',
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
          await kind.update(here, 'operator', row.id, { enabled: false });
          expect(await resolve()).toEqual(saying('all'));
          await kind.update(here, 'operator', row.id, { enabled: true });
          expect(await resolve()).toEqual(saying('one'));
        },
      ],
      [
        'a name',
        async (owner) => {
          const { row } = await create(owner);
          await resolve();
          await kind.update(here, 'operator', row.id, { name: `${name}-b` });
          expect(await resolve()).toEqual(saying('all'));
          expect(await resolve(`${name}-b`)).toEqual(saying('one', row.id));
        },
      ],
      [
        'a deletion',
        async (owner) => {
          const { row } = await create(owner);
          await resolve();
          await kind.remove(here, 'operator', row.id);
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

  describe('things that an earlier release wrote', () => {
    const asEarlierRelease = async () => {
      const stored = await create(own());
      await removeCopy(kind, elsewhere, stored.row);
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
      await kind.update(elsewhere, 'operator', row.id, { name: `${name}-b` });
      expect(await requests(`${name}-b`)).toBe(1);
      expect(await resolve(`${name}-b`)).toEqual(saying('one', row.id));
    });

    test('are deleted whole', async () => {
      const { row } = await asEarlierRelease();
      await kind.remove(elsewhere, 'operator', row.id);
      await expect(resolve()).rejects.toMatchObject(refused('unknown'));
    });

    test.each(['the version before', 'one that it deleted'])(
      'a copy of %s that the earlier release left is never used',
      async (left) => {
        const { row, content } = await create(own());
        await publish(row.id);
        const id = left === 'the version before' ? row.id : `${kind.noun}_${'0'.repeat(20)}`;
        const stale = {
          ...content,
          id,
          number: id === row.id ? 1 : 2,
          pk: row.owner,
          sk: `${kind.keys.owned}current#${name}`,
        };
        await elsewhere.dynamodb.send(new PutCommand({ TableName: elsewhere.tables.skills, Item: stale }));
        expect(await resolve()).toMatchObject({ version: 2, contentHash: kind.digestOf('two') });
      },
    );
  });

  test('content that does not match its record is never cached', async () => {
    const { row, content } = await create(own());
    const change = (instructions: string) =>
      elsewhere.dynamodb.send(
        new PutCommand({
          TableName: elsewhere.tables.skills,
          Item: {
            ...kind.alter(content, instructions),
            id: row.id,
            pk: row.owner,
            sk: `${kind.keys.owned}current#${name}`,
          },
        }),
      );
    await change('other');
    expect(await resolve()).not.toHaveProperty('version');
    await change('one');
    later(limits.keyCacheMilliseconds);
    expect(await resolve()).toMatchObject({ version: 1, contentHash: kind.digestOf('one') });
  });
});
