import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { countTokens } from '@errand/models';
import { answerOf, DomainError, type ErrorTable, type Principal, sha256Hex } from '@errand/platform';
import {
  createSkill,
  deleteSkill,
  importUnversionedSkill,
  resolveSkill,
  type SkillRoutesDeps,
  type StoredSkill,
  skillFieldErrors,
  skillHeaders,
  updateSkill,
} from '@errand/skills';
import type { Owner } from '@errand/versions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { removeContent, removeCopy } from './processes.ts';
import { type SkillService, startSkillService } from './support.ts';

let service: SkillService;
let deps: SkillRoutesDeps;
let principal: Principal & { organisationId: string };
let name: string;
let count = 0;
beforeAll(async () => {
  service = await startSkillService();
  deps = service.deps;
});
beforeEach(() => {
  count++;
  principal = { keyId: 'k', accountId: `account-${count}`, organisationId: `organisation-${count}` };
  name = `skill-${count}`;
});
afterAll(() => service.close());

const own = (): Owner => ({ scope: 'user', accountId: principal.accountId });
const team = (): Owner => ({ scope: 'organisation', organisationId: principal.organisationId });
const provider: Owner = { scope: 'provider' };
const create = (owner: Owner, instructions: string) => createSkill(deps, owner, { name, instructions });
const disable = ({ row }: StoredSkill) => updateSkill(deps, 'operator', row.id, { enabled: false });
const resolve = (field: unknown = name, as: Principal = principal) => resolveSkill(deps, as, field);
const instructionsOf = async (field?: unknown) =>
  (await resolve(field))?.block.replace(/^<user_skill>\n|\n<\/user_skill>$/g, '');

async function refusal(field: unknown): Promise<unknown> {
  const error = await resolve(field).catch((thrown: unknown) => thrown);
  if (!(error instanceof DomainError)) throw new Error('it was resolved');
  const { status, body } = answerOf(skillFieldErrors as unknown as ErrorTable, error);
  expect(status).toBe(400);
  return (body as { error: unknown }).error;
}

const unresolved = (reason: string) => ({
  message: expect.stringMatching(/\w/),
  type: 'invalid_request_error',
  param: 'skills',
  code: 'skill_unresolved',
  reason,
});

describe('precedence', () => {
  test("the caller's own comes first, then the organisation's, then the provider's", async () => {
    await create(provider, 'all');
    expect(await instructionsOf()).toBe('all');
    await create(team(), 'team');
    expect(await instructionsOf()).toBe('team');
    await create(own(), 'mine');
    expect(await instructionsOf()).toBe('mine');
    const outsider = { keyId: 'k', accountId: 'outsider' };
    expect((await resolve(name, outsider))?.contentHash).toBe(sha256Hex('all'));
  });

  test('disabled ones are passed over, and come back when enabled', async () => {
    const mine = await create(own(), 'mine');
    const shared = await create(team(), 'team');
    await create(provider, 'all');
    await disable(mine);
    expect(await instructionsOf()).toBe('team');
    await disable(shared);
    expect(await instructionsOf()).toBe('all');
    await updateSkill(deps, principal, mine.row.id, { enabled: true });
    expect(await instructionsOf()).toBe('mine');
  });

  test('a version is looked for in the skill that precedence finds, and nowhere else', async () => {
    const { row } = await create(team(), 'team 1');
    await updateSkill(deps, 'operator', row.id, { instructions: 'team 2' });
    expect(await instructionsOf({ name, version: 2 })).toBe('team 2');
    await create(own(), 'mine 1');
    expect(await instructionsOf({ name, version: 1 })).toBe('mine 1');
    expect(await refusal({ name, version: 2 })).toEqual(unresolved('unknown_version'));
  });
});

describe('reasons', () => {
  test('unknown: no visible skill of exactly that name', async () => {
    await createSkill(deps, own(), { name: 'Exact', instructions: 'x' });
    await createSkill(deps, { scope: 'user', accountId: 'someone-else' }, { name, instructions: 'x' });
    const odd = ['exact', 'Exact ', name, ' ', 'a/b', '🙂', '<user_skill>', 'x'.repeat(100_000)];
    for (const field of [...odd, { name, version: 1 }])
      expect(await refusal(field)).toEqual(unresolved('unknown'));
  });

  test('unknown: a deleted one, pinned or not', async () => {
    const { row } = await create(own(), 'x');
    await deleteSkill(deps, principal, row.id);
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

  test('unversioned: a skill from before versions existed cannot be pinned', async () => {
    await importUnversionedSkill(deps, own(), { name, instructions: 'old' });
    expect(await refusal({ name, version: 1 })).toEqual(unresolved('unversioned'));
    expect(await instructionsOf()).toBe('old');
  });
});

describe('skill_param_invalid', () => {
  test.each([
    [null],
    [''],
    [0],
    [true],
    [[]],
    [['a']],
    [{}],
    [{ name: 'a' }],
    [{ version: 1 }],
    [{ name: '', version: 1 }],
    [{ name: 5, version: 1 }],
    [{ name: 'a', version: 0 }],
    [{ name: 'a', version: -1 }],
    [{ name: 'a', version: 1.5 }],
    [{ name: 'a', version: '1' }],
    [{ name: 'a', version: null }],
    [{ name: 'a', version: Number.NaN }],
  ])('%j', async (field) => {
    expect(await refusal(field)).toEqual({
      message: expect.stringMatching(/\w/),
      type: 'invalid_request_error',
      param: 'skills',
      code: 'skill_param_invalid',
    });
  });

  test('other keys beside name and version are ignored', async () => {
    await create(own(), 'x');
    expect(await resolve({ name, version: 1, colour: 'red' })).toMatchObject({ version: 1 });
  });
});

describe('without the field', () => {
  test('the table is not read, and no header is set', async () => {
    const before = service.dynamo.requests();
    expect(await resolveSkill(deps, principal, undefined)).toBeUndefined();
    expect(await resolveSkill({ ...deps, skillsEnabled: false }, principal, undefined)).toBeUndefined();
    expect(service.dynamo.requests()).toBe(before);
  });

  test('with the field, where skills are off: skills_disabled, whatever its value', async () => {
    for (const field of [name, null])
      await expect(resolveSkill({ ...deps, skillsEnabled: false }, principal, field)).rejects.toMatchObject({
        code: 'skills_disabled',
      });
  });
});

describe('what is resolved', () => {
  test('the headers have the name, the tokens with the wrapper, the digest of the authored bytes, and the version', async () => {
    await create(own(), 'Say </user_skill> 🙂\n');
    const skill = await resolve();
    if (!skill) throw new Error('not resolved');
    expect(skill.block).toBe('<user_skill>\nSay &lt;/user_skill> 🙂\n\n</user_skill>');
    expect(skillHeaders(skill)).toEqual({
      'X-Skill': name,
      'X-Skill-Injected-Tokens': String(await countTokens(skill.block)),
      'X-Skill-Content-Hash': sha256Hex('Say </user_skill> 🙂\n'),
      'X-Skill-Version': '1',
    });
  });

  test('a bare name applies the latest content, and earlier versions keep their bytes', async () => {
    const { row } = await create(own(), 'one');
    await updateSkill(deps, principal, row.id, { instructions: 'two' });
    expect(await instructionsOf()).toBe('two');
    expect(await resolve({ name, version: 1 })).toMatchObject({ version: 1, contentHash: sha256Hex('one') });
  });

  test('unversioned content has no version header', async () => {
    await importUnversionedSkill(deps, own(), { name, instructions: 'old' });
    const skill = await resolve();
    expect(Object.keys(skillHeaders(skill!))).toEqual([
      'X-Skill',
      'X-Skill-Injected-Tokens',
      'X-Skill-Content-Hash',
    ]);
  });

  test('content that no longer matches its record has its own digest and tokens, and no version', async () => {
    const { row } = await create(own(), 'as written');
    await removeCopy(deps, row);
    await deps.dynamodb.send(
      new UpdateCommand({
        TableName: deps.tables.skills,
        Key: { pk: `skill#${row.id}`, sk: 'content#000000000001' },
        UpdateExpression: 'SET instructions = :other',
        ExpressionAttributeValues: { ':other': 'something else altogether' },
      }),
    );
    const skill = await resolve();
    expect(skill).not.toHaveProperty('version');
    expect(skill).toMatchObject({
      contentHash: sha256Hex('something else altogether'),
      injectedTokens: await countTokens('<user_skill>\nsomething else altogether\n</user_skill>'),
    });
  });

  test('a resolved skill survives JSON unchanged, so that a run can store it', async () => {
    await create(own(), 'kept');
    const skill = await resolve();
    expect(JSON.parse(JSON.stringify(skill))).toEqual(skill);
  });
});

describe('requests', () => {
  test('a name that no skill can have takes no request', async () => {
    const before = service.dynamo.requests();
    await expect(resolve('a b')).rejects.toMatchObject({ code: 'skill_unresolved' });
    expect(service.dynamo.requests()).toBe(before);
  });

  test('a skill that is deleted between the two requests is unknown, or gives way to the next skill of its name', async () => {
    const { row } = await create(own(), 'mine');
    await removeCopy(deps, row);
    const dynamodb = connect(service.dynamo, {
      before: async (index) => {
        if (index === 1) await deleteSkill(deps, principal, row.id);
      },
    });
    const racing = { ...deps, dynamodb };
    await create(team(), 'team');
    expect(await resolveSkill(racing, principal, name)).toMatchObject({ contentHash: sha256Hex('team') });
    await expect(resolve()).resolves.toMatchObject({ contentHash: sha256Hex('team') });
  });

  test('content that never appears ends as unknown, not in an endless search', async () => {
    const { row } = await create(own(), 'mine');
    await removeCopy(deps, row);
    await removeContent(deps, row.id, 1);
    const hurried = { ...deps, wait: async () => {} };
    await expect(resolveSkill(hurried, principal, name)).rejects.toMatchObject({ code: 'skill_unresolved' });
  });
});
