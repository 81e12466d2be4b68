import { answerOf, DomainError, type Principal } from '@errand/platform';
import type { Owner } from '@errand/versions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { type Deps, kinds, type Stored } from './kinds.ts';
import { removeContent, removeCopy } from './processes.ts';
import { type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  let service: NamedService;
  let deps: Deps;
  let principal: Principal & { organisationId: string };
  let name: string;
  let count = 0;
  beforeAll(async () => {
    service = await startService(kind);
    deps = service.deps;
  });
  beforeEach(() => {
    count++;
    principal = { keyId: 'k', accountId: `account-${count}`, organisationId: `organisation-${count}` };
    name = `thing-${count}`;
  });
  afterAll(() => service.close());

  const own = (): Owner => ({ scope: 'user', accountId: principal.accountId });
  const team = (): Owner => ({ scope: 'organisation', organisationId: principal.organisationId });
  const provider: Owner = { scope: 'provider' };
  const create = (owner: Owner, instructions: string) => kind.create(deps, owner, { name, instructions });
  const disable = ({ row }: Stored) => kind.update(deps, 'operator', row.id, { enabled: false });
  const resolve = (field: unknown = name, as: Principal = principal) => kind.resolve(deps, as, field);
  /** Each test says texts of its own: the digest tells which. */
  const digestOf = async (field?: unknown) => (await resolve(field)).contentHash;

  async function refusal(field: unknown): Promise<unknown> {
    const error = await resolve(field).catch((thrown: unknown) => thrown);
    if (!(error instanceof DomainError)) throw new Error('it was resolved');
    const { status, body } = answerOf(kind.fieldErrors, error);
    expect(status).toBe(400);
    return (body as { error: unknown }).error;
  }

  const unresolved = (reason: string) => ({
    message: expect.stringMatching(/\w/),
    type: 'invalid_request_error',
    param: kind.param,
    code: `${kind.noun}_unresolved`,
    reason,
  });

  describe('precedence', () => {
    test("the caller's own comes first, then the organisation's, then the provider's", async () => {
      await create(provider, 'all');
      expect(await digestOf()).toBe(kind.digestOf('all'));
      await create(team(), 'team');
      expect(await digestOf()).toBe(kind.digestOf('team'));
      await create(own(), 'mine');
      expect(await digestOf()).toBe(kind.digestOf('mine'));
      const outsider = { keyId: 'k', accountId: 'outsider' };
      expect((await resolve(name, outsider)).contentHash).toBe(kind.digestOf('all'));
    });

    test('disabled ones are passed over, and come back when enabled', async () => {
      const mine = await create(own(), 'mine');
      const shared = await create(team(), 'team');
      await create(provider, 'all');
      await disable(mine);
      expect(await digestOf()).toBe(kind.digestOf('team'));
      await disable(shared);
      expect(await digestOf()).toBe(kind.digestOf('all'));
      await kind.update(deps, principal, mine.row.id, { enabled: true });
      expect(await digestOf()).toBe(kind.digestOf('mine'));
    });

    test('a version is looked for in the one that precedence finds, and nowhere else', async () => {
      const { row } = await create(team(), 'team 1');
      await kind.update(deps, 'operator', row.id, { instructions: 'team 2' });
      expect(await digestOf({ name, version: 2 })).toBe(kind.digestOf('team 2'));
      await create(own(), 'mine 1');
      expect(await digestOf({ name, version: 1 })).toBe(kind.digestOf('mine 1'));
      expect(await refusal({ name, version: 2 })).toEqual(unresolved('unknown_version'));
    });
  });

  describe('reasons', () => {
    test('unknown: nothing visible of exactly that name', async () => {
      await kind.create(deps, own(), { name: 'Exact', instructions: 'x' });
      await kind.create(deps, { scope: 'user', accountId: 'someone-else' }, { name, instructions: 'x' });
      const odd = ['exact', 'Exact ', name, ' ', 'a/b', '🙂', 'x'.repeat(100_000)];
      for (const field of [...odd, { name, version: 1 }])
        expect(await refusal(field)).toEqual(unresolved('unknown'));
    });

    test('unknown: a deleted one, pinned or not', async () => {
      const { row } = await create(own(), 'x');
      await kind.remove(deps, principal, row.id);
      for (const field of [name, { name, version: 1 }])
        expect(await refusal(field)).toEqual(unresolved('unknown'));
    });

    test('unknown: a disabled one of the organisation or the provider, which the caller does not see', async () => {
      await disable(await create(provider, 'x'));
      expect(await refusal(name)).toEqual(unresolved('unknown'));
      await disable(await create(team(), 'x'));
      for (const field of [name, { name, version: 1 }, { name, version: 9 }])
        expect(await refusal(field)).toEqual(unresolved('unknown'));
    });

    test("disabled: the caller's own, where no enabled one of that name is visible", async () => {
      await disable(await create(own(), 'x'));
      expect(await refusal(name)).toEqual(unresolved('disabled'));
      await disable(await create(team(), 'x'));
      expect(await refusal(name)).toEqual(unresolved('disabled'));
      expect(await refusal({ name, version: 9 })).toEqual(unresolved('disabled'));
    });

    test('unknown_version: past the latest', async () => {
      await create(own(), 'x');
      for (const version of [2, 1e15, 1e300])
        expect(await refusal({ name, version })).toEqual(unresolved('unknown_version'));
    });

    test('unversioned: one from before versions existed cannot be pinned', async () => {
      await kind.importUnversioned(deps, own(), { name, instructions: 'old' });
      expect(await refusal({ name, version: 1 })).toEqual(unresolved('unversioned'));
      expect(await digestOf()).toBe(kind.digestOf('old'));
    });
  });

  describe('what is resolved', () => {
    test('a bare name applies the latest content, and earlier versions keep their bytes', async () => {
      const { row } = await create(own(), 'one');
      await kind.update(deps, principal, row.id, { instructions: 'two' });
      expect(await digestOf()).toBe(kind.digestOf('two'));
      expect(await resolve({ name, version: 1 })).toMatchObject({
        version: 1,
        contentHash: kind.digestOf('one'),
      });
    });

    test('what is resolved survives JSON unchanged, so that a run can store it', async () => {
      await create(own(), 'kept');
      const resolved = await resolve();
      expect(JSON.parse(JSON.stringify(resolved))).toEqual(resolved);
    });
  });

  describe('requests', () => {
    test('a name that nothing can have takes no request', async () => {
      const before = service.dynamo.requests();
      await expect(resolve('a b')).rejects.toMatchObject({ code: `${kind.noun}_unresolved` });
      expect(service.dynamo.requests()).toBe(before);
    });

    test('one that is deleted between the two requests is unknown, or gives way to the next of its name', async () => {
      const { row } = await create(own(), 'mine');
      await removeCopy(kind, deps, row);
      const dynamodb = connect(service.dynamo, {
        before: async (index) => {
          if (index === 1) await kind.remove(deps, principal, row.id);
        },
      });
      const racing = { ...deps, dynamodb };
      await create(team(), 'team');
      expect(await kind.resolve(racing, principal, name)).toMatchObject({
        contentHash: kind.digestOf('team'),
      });
      await expect(resolve()).resolves.toMatchObject({ contentHash: kind.digestOf('team') });
    });

    test('content that never appears ends as unknown, not in an endless search', async () => {
      const { row } = await create(own(), 'mine');
      await removeCopy(kind, deps, row);
      await removeContent(kind, deps, row.id, 1);
      const hurried = { ...deps, wait: async () => {} };
      await expect(kind.resolve(hurried, principal, name)).rejects.toMatchObject({
        code: `${kind.noun}_unresolved`,
      });
    });
  });
});
