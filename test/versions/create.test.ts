import { limits, putItem } from '@errand/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scanTable } from './invariants.ts';
import { kinds } from './kinds.ts';
import { type Caller, type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  let service: NamedService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService(kind);
    caller = await service.newCaller();
  });
  afterAll(() => service.close());

  const post = (body: unknown) => caller.send('POST', kind.path, { body });
  const valid = { name: 'valid', instructions: 'Do it.' };

  describe('an account has as many as it may have', () => {
    const { skillsPerAccount: most } = limits;
    const count = async (): Promise<unknown> => {
      const items = await scanTable(service.deps);
      return items.find(({ pk, sk }) => pk === owner() && sk === `${kind.keys.owned}count`)?.things;
    };
    const owner = () => `user#${fresh.accountId}`;
    let fresh: Caller;
    beforeEach(async () => {
      fresh = await service.newCaller();
    });
    const make = async (name: string) => {
      const answer = await fresh.send('POST', kind.path, { body: { name, instructions: 'x' } });
      return [answer.status, answer.status === 201 ? kind.at(answer.json()) : answer.text];
    };

    test('one more is refused in words, its name or not, until one is deleted', async () => {
      const [, at] = await make('first');
      const Item = { pk: owner(), sk: `${kind.keys.owned}count`, things: most - 1 };
      await putItem(service.deps, { TableName: service.deps.tables.skills, Item });
      await make('last');
      const words = `Invalid ${kind.noun}:\nis one too many: an account may have 1,000 ${kind.noun}s`;
      expect(await make('too-many')).toEqual([400, words]);
      expect((await make('first'))[0]).toBe(409);
      expect((await fresh.send('PATCH', `${kind.path}/${at}`, { body: { description: 'y' } })).status).toBe(
        200,
      );
      expect((await fresh.send('DELETE', `${kind.path}/${at}`)).status).toBe(204);
      expect((await make('too-many'))[0]).toBe(201);
    });

    test('each that is made and deleted is counted once, however many ask at one moment', async () => {
      const names = Array.from({ length: 12 }, (_, i) => `n${i % 6}`);
      const made = await Promise.all(names.map(make));
      expect(made.filter(([status]) => status === 201)).toHaveLength(6);
      expect(await count()).toBe(6);
      const [, at] = made.find(([status]) => status === 201)!;
      await Promise.all([1, 2].map(() => fresh.send('DELETE', `${kind.path}/${at}`)));
      expect(await count()).toBe(5);
    });
  });

  describe(`POST ${kind.path} 201`, () => {
    test('answers the whole thing, enabled, version 1, with its place and tag', async () => {
      const answer = await post({
        name: 'Legal-Tone_2',
        description: 'When formal',
        instructions: 'Be formal.\n',
      });
      expect(answer.status).toBe(201);
      const created = answer.json();
      expect(created).toEqual({
        id: expect.stringMatching(new RegExp(`^${kind.noun}_[0-9A-Za-z]{20}$`)),
        name: 'Legal-Tone_2',
        description: 'When formal',
        instructions: 'Be formal.\n',
        enabled: true,
        scope: 'user',
        version: 1,
        createdAt: '2026-11-21T10:00:00.000Z',
        updatedAt: '2026-11-21T10:00:00.000Z',
      });
      expect(answer.headers.get('Location')).toBe(`${kind.path}/${kind.at(created)}`);
      expect(answer.headers.get('ETag')).toMatch(/^".+"$/);
      expect(answer.headers.get('RateLimit-Remaining')).not.toBeNull();
      expect(answer.headers.get('X-Request-Id')).not.toBeNull();
    });

    test('a description left out is empty, and unknown fields are ignored', async () => {
      const answer = await post({
        name: 'bare',
        instructions: 'x',
        version: 7,
        enabled: false,
        colour: 'red',
      });
      expect(answer.json()).toMatchObject({ description: '', version: 1, enabled: true });
    });

    test('lengths are counted in code points: the limits hold for astral characters', async () => {
      const body = {
        name: 'n'.repeat(limits.skillNameCharacters),
        description: '🙂'.repeat(limits.skillDescriptionCharacters),
        instructions: '🙂'.repeat(limits.skillInstructionsCharacters),
      };
      const answer = await post(body);
      expect(answer.status).toBe(201);
      expect(answer.json()).toMatchObject(body);
    });

    test('a content type other than JSON is accepted', async () => {
      const answer = await caller.send('POST', kind.path, {
        text: JSON.stringify({ name: 'curl', instructions: 'x' }),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      });
      expect(answer.status).toBe(201);
    });

    test('names differ by case, and two accounts may use the same one', async () => {
      await caller.create({ name: 'same', instructions: 'x' });
      await caller.create({ name: 'Same', instructions: 'x' });
      await (await service.newCaller()).create({ name: 'same', instructions: 'x' });
    });
  });

  describe(`POST ${kind.path} 400`, () => {
    const nameRule =
      'name: must start with a letter or digit and hold only letters, digits, hyphens and underscores';
    test.each<[string, unknown, string[]]>([
      ['an empty object', {}, ['name: is required', 'instructions: is required']],
      [
        'null fields',
        { name: null, description: null, instructions: null },
        ['name: must be a string', 'description: must be a string', 'instructions: must be a string'],
      ],
      [
        'fields of other types',
        { name: 1, description: [], instructions: {} },
        ['name: must be a string', 'description: must be a string', 'instructions: must be a string'],
      ],
      ['an empty name', { ...valid, name: '' }, [nameRule]],
      ['a name that begins with a hyphen', { ...valid, name: '-a' }, [nameRule]],
      ['a name with a space', { ...valid, name: 'a b' }, [nameRule]],
      ['a name that ends with a line end', { ...valid, name: 'a\n' }, [nameRule]],
      ['a name with letters outside ASCII', { ...valid, name: 'é' }, [nameRule]],
      [
        'a name of one character too many',
        { ...valid, name: 'a'.repeat(limits.skillNameCharacters + 1) },
        [`name: must have at most ${limits.skillNameCharacters} characters`],
      ],
      [
        'a description of one character too many',
        { ...valid, description: '🙂'.repeat(limits.skillDescriptionCharacters + 1) },
        [`description: must have at most ${limits.skillDescriptionCharacters} characters`],
      ],
      ['empty instructions', { ...valid, instructions: '' }, ['instructions: must not be empty']],
      [
        'half a surrogate pair',
        { ...valid, description: '\udc00', instructions: 'a\ud800b' },
        ['description: must be well-formed Unicode', 'instructions: must be well-formed Unicode'],
      ],
      ['an array', [], ['body: must be a JSON object']],
      ['null', null, ['body: must be a JSON object']],
      ['text', 'thing', ['body: must be a JSON object']],
      ['a number', 5, ['body: must be a JSON object']],
    ])('%s has one line per issue in its answer', async (_, body, lines) => {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
      expect(answer.text).toBe([`Invalid ${kind.noun}:`, ...lines].join('\n'));
    });

    test.each([
      ['no body', '', 'body: must be valid JSON'],
      ['half a body', '{"name": ', 'body: must be valid JSON'],
      [
        'a body of one level too many',
        '['.repeat(limits.jsonNestingLevels + 1),
        `body: must not be nested more than ${limits.jsonNestingLevels} levels deep`,
      ],
      ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'body: must be valid JSON'],
    ])('%s is a validation failure too', async (_, text, line) => {
      const answer = await caller.send('POST', kind.path, { text });
      expect([answer.status, answer.text]).toEqual([400, `Invalid ${kind.noun}:\n${line}`]);
    });

    test('a refused one leaves nothing behind', async () => {
      const other = await service.newCaller();
      await other.send('POST', kind.path, { body: { name: 'x', instructions: '' } });
      expect(await other.list()).toEqual([]);
    });
  });

  test(`POST ${kind.path} 409: a name that the caller has is refused, also when that one is disabled`, async () => {
    const taken = await caller.create({ name: 'taken', instructions: 'x' });
    await caller.send('PATCH', `${kind.path}/${kind.at(taken)}`, { body: { enabled: false } });
    const answer = await post({ name: 'taken', instructions: 'other' });
    expect([answer.status, answer.text]).toEqual([409, `You already have ${kind.aNoun} named taken.`]);
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
  });

  test(`POST ${kind.path} 413: a body past the size limit is not read to its end`, async () => {
    const answer = await post({ ...valid, colour: 'x'.repeat(limits.jsonBodyBytes) });
    expect(answer.status).toBe(413);
  });
});
