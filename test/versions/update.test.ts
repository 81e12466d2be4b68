import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Detail, kinds } from './kinds.ts';
import { type Caller, type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  let service: NamedService;
  let caller: Caller;
  let thing: Detail;
  beforeAll(async () => {
    service = await startService(kind);
  });
  beforeEach(async () => {
    caller = await service.newCaller({ organisation: true });
    thing = await caller.create({ name: 'tone', description: 'd', instructions: 'one' });
  });
  afterAll(() => service.close());

  const patch = (body: unknown, headers: Record<string, string> = {}, at = kind.at(thing)) =>
    caller.send('PATCH', `${kind.path}/${at}`, { body, headers });
  const get = (at = kind.at(thing)) => caller.send('GET', `${kind.path}/${at}`);
  const read = async (at?: string) => (await get(at)).json();
  const tagNow = async () => (await get()).headers.get('ETag') ?? '';

  describe(`PATCH ${kind.path}/{id} 200`, () => {
    test('other instructions publish the next version; everything else stays', async () => {
      service.deps.clock.advance(1_000);
      const answer = await patch({ instructions: 'two' });
      expect(answer.status).toBe(200);
      const updatedAt = new Date(service.deps.clock()).toISOString();
      expect(answer.json()).toEqual({ ...thing, instructions: 'two', version: 2, updatedAt });
      expect(answer.headers.get('ETag')).toBe(await tagNow());
      expect(await read()).toEqual(answer.json());
    });

    test.each([
      ['name', { name: 'voice' }],
      ['description', { description: '' }],
      ['enabled', { enabled: false }],
      ['identical instructions with another description', { instructions: 'one', description: 'e' }],
    ])('%s changes without a new version, with a new tag', async (_, body) => {
      const before = await tagNow();
      const answer = await patch(body);
      expect(answer.json()).toMatchObject({ ...body, version: 1, instructions: 'one' });
      expect(answer.headers.get('ETag')).not.toBe(before);
      expect(await read(kind.at(answer.json()))).toEqual(answer.json());
    });

    test('a patch that changes nothing answers the thing as it is and writes nothing', async () => {
      const before = await tagNow();
      service.deps.clock.advance(1_000);
      const answer = await patch({ name: 'tone', instructions: 'one', enabled: true });
      expect(answer.json()).toEqual(thing);
      expect(answer.headers.get('ETag')).toBe(before);
    });

    test('a renamed one leaves its old name free and takes the new one', async () => {
      await patch({ name: 'voice', instructions: 'two' });
      expect((await caller.create({ name: 'tone', instructions: 'x' })).version).toBe(1);
      expect(await kind.resolve(service.deps, caller, { name: 'voice', version: 2 })).toMatchObject({
        version: 2,
      });
      const again = await caller.send('POST', kind.path, { body: { name: 'voice', instructions: 'x' } });
      expect(again.status).toBe(409);
    });

    test('a disabled one stays listed and editable, and comes back by being enabled', async () => {
      await patch({ enabled: false });
      expect((await patch({ instructions: 'two' })).json()).toMatchObject({ enabled: false, version: 2 });
      expect((await patch({ enabled: true })).json()).toMatchObject({ enabled: true, version: 2 });
      expect(await kind.resolve(service.deps, caller, 'tone')).toMatchObject({ version: 2 });
    });

    test('one from before versions existed gets version 1 with its first other instructions', async () => {
      const owner = { scope: 'user', accountId: caller.accountId } as const;
      const { row } = await kind.importUnversioned(service.deps, owner, { name: 'old', instructions: 'old' });
      expect(
        (await patch({ instructions: 'old', enabled: false }, {}, kind.at(row))).json().version,
      ).toBeNull();
      expect((await patch({ instructions: 'new', enabled: true }, {}, kind.at(row))).json().version).toBe(1);
      expect(await kind.resolve(service.deps, caller, { name: 'old', version: 1 })).toMatchObject({
        version: 1,
      });
    });
  });

  describe(`PATCH ${kind.path}/{id} 400`, () => {
    const atLeastOne = `body: must have at least one of ${kind.patched}`;
    test.each<[string, unknown, string[]]>([
      ['an empty patch', {}, [atLeastOne]],
      ['unknown fields alone', { version: 3, scope: 'provider' }, [atLeastOne]],
      [
        'null fields',
        { name: null, description: null, instructions: null, enabled: null },
        [
          'name: must be a string',
          'description: must be a string',
          'instructions: must be a string',
          'enabled: must be true or false',
        ],
      ],
      ['text for a switch', { enabled: 'false' }, ['enabled: must be true or false']],
      ['empty instructions', { instructions: '' }, ['instructions: must not be empty']],
      ['an array', [], ['body: must be a JSON object']],
      ['null', null, ['body: must be a JSON object']],
    ])('%s has one line per issue in its answer, and changes nothing', async (_, body, lines) => {
      const answer = await patch(body);
      expect([answer.status, answer.text]).toEqual([
        400,
        [`Invalid ${kind.noun} patch:`, ...lines].join('\n'),
      ]);
      expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
      expect(await read()).toEqual(thing);
    });

    test('malformed JSON is a validation failure of the patch', async () => {
      const answer = await caller.send('PATCH', `${kind.path}/${kind.at(thing)}`, { text: '{' });
      expect([answer.status, answer.text]).toEqual([
        400,
        `Invalid ${kind.noun} patch:\nbody: must be valid JSON`,
      ]);
    });
  });

  describe(`PATCH ${kind.path}/{id} 404`, () => {
    test("unknown ones, another account's, and those of the organisation and the provider", async () => {
      const other = await (await service.newCaller()).create({ name: 'foreign', instructions: 'x' });
      const { organisationId } = caller;
      if (organisationId === undefined) throw new Error('the caller has no organisation');
      const input = { name: 'shared', instructions: 'x' };
      const team = await kind.create(service.deps, { scope: 'organisation', organisationId }, input);
      const provider = await kind.create(
        service.deps,
        { scope: 'provider' },
        { ...input, name: `p-${thing.id}` },
      );
      const known = [other, team.row, provider.row].map(kind.at);
      for (const at of [`${kind.noun}_${'0'.repeat(20)}`, 'x', ...known]) {
        const answer = await patch({ description: 'taken over' }, {}, at);
        expect([answer.status, answer.text]).toEqual([404, `${kind.title} not found`]);
      }
    });
  });

  test(`PATCH ${kind.path}/{id} 409: a name that another of the own ones has; nothing changes`, async () => {
    await caller.create({ name: 'voice', instructions: 'x' });
    const answer = await patch({ name: 'voice', instructions: 'two' });
    expect([answer.status, answer.text]).toEqual([409, `You already have ${kind.aNoun} named voice.`]);
    expect(await read()).toEqual(thing);
  });

  describe(`PATCH ${kind.path}/{id} 412`, () => {
    test.each(['"0"', 'W/"1"', '"0", W/"1"', '1', '', '"', `"1-${kind.noun}_00000000000000000000"`])(
      'If-Match: %s does not match version one',
      async (tag) => {
        const answer = await patch({ instructions: 'two' }, { 'If-Match': tag });
        expect(answer.status).toBe(412);
        expect(await read()).toEqual(thing);
      },
    );

    test.each(['*', '"1-ID"', '"0", "1-ID"', '"0","1-ID" , W/"x"', '"1-ID-markdown"'])(
      '200: If-Match: %s matches version one of the thing ID',
      async (tag) => {
        const headers = { 'If-Match': tag.replaceAll('ID', thing.id) };
        expect((await patch({ instructions: 'two' }, headers)).status).toBe(200);
      },
    );

    test.each(['"1"', '"0", "1"', '"0","1" , W/"x"', '"1-markdown"'])(
      '200: If-Match: %s, as earlier releases wrote it, matches version one',
      async (tag) => {
        expect((await patch({ instructions: 'two' }, { 'If-Match': tag })).status).toBe(200);
      },
    );

    test('a tag that was good for one write is stale for the next', async () => {
      const headers = { 'If-Match': await tagNow() };
      expect((await patch({ description: 'e' }, headers)).status).toBe(200);
      expect((await patch({ description: 'f' }, headers)).status).toBe(412);
    });

    test('one that the caller cannot see is a 404, whatever the tag', async () => {
      expect((await patch({ enabled: false }, { 'If-Match': '"0"' }, 'x')).status).toBe(404);
    });
  });
});
