import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { countTokens } from '@errand/models';
import { answerOf, DomainError, type ErrorTable, type Principal, sha256Hex } from '@errand/platform';
import {
  createSkill,
  importUnversionedSkill,
  resolveSkill,
  skillFieldErrors,
  skillHeaders,
  updateSkill,
} from '@errand/skills';
import type { Owner } from '@errand/versions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Deps, skills } from '../versions/kinds.ts';
import { removeCopy } from '../versions/processes.ts';
import { type NamedService, startService } from '../versions/support.ts';

let service: NamedService;
let deps: Deps;
let principal: Principal & { organisationId: string };
let name: string;
let count = 0;
beforeAll(async () => {
  service = await startService(skills);
  deps = service.deps;
});
beforeEach(() => {
  count++;
  principal = { keyId: 'k', accountId: `account-${count}`, organisationId: `organisation-${count}` };
  name = `skill-${count}`;
});
afterAll(() => service.close());

const own = (): Owner => ({ scope: 'user', accountId: principal.accountId });
const create = (owner: Owner, instructions: string) => createSkill(deps, owner, { name, instructions });
const resolve = (field: unknown = name, as: Principal = principal) => resolveSkill(deps, as, field);

async function refusal(field: unknown): Promise<unknown> {
  const error = await resolve(field).catch((thrown: unknown) => thrown);
  if (!(error instanceof DomainError)) throw new Error('it was resolved');
  const { status, body } = answerOf(skillFieldErrors as unknown as ErrorTable, error);
  expect(status).toBe(400);
  return (body as { error: unknown }).error;
}

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

describe('named by an agent', () => {
  test.each([
    ['user', ['own', "organisation's", "operator's"]],
    ['organisation', ["organisation's", "operator's"]],
    ['provider', ["operator's"]],
    // The caller has left the organisation since.
    ['another organisation', ["operator's"]],
  ] as const)('of the scope %s: %j, in that order', async (scope, order) => {
    const { accountId, organisationId } = principal;
    const owners = {
      own: own(),
      "organisation's": { scope: 'organisation', organisationId },
      "operator's": { scope: 'provider' },
    } as const;
    const namedBy = {
      user: `user#${accountId}`,
      organisation: `organisation#${organisationId}`,
      provider: 'provider',
      'another organisation': `organisation#another-${organisationId}`,
    }[scope];
    const rows = new Map<string, string>();
    for (const [whose, owner] of Object.entries(owners))
      rows.set(whose, (await create(owner, `Of the ${whose}`)).row.id);
    for (const whose of order) {
      const skill = await resolveSkill(deps, principal, name, {}, namedBy);
      expect(skill?.block).toContain(`Of the ${whose}`);
      await updateSkill(deps, 'operator', rows.get(whose)!, { enabled: false });
    }
    await expect(resolveSkill(deps, principal, name, {}, namedBy)).rejects.toMatchObject({
      code: 'skill_unresolved',
      details: { reason: scope === 'user' ? 'disabled' : 'unknown' },
    });
  });

  test('it is read by one request, and then by none', async () => {
    await create({ scope: 'provider' }, 'x');
    const requestsOf = async (namedBy?: string) => {
      const before = service.dynamo.requests();
      await resolveSkill(deps, principal, name, {}, namedBy);
      return service.dynamo.requests() - before;
    };
    expect([await requestsOf('provider'), await requestsOf('provider'), await requestsOf()]).toEqual([
      1, 0, 1,
    ]);
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
    await removeCopy(skills, deps, row);
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
});
