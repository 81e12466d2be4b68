import { limits } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Detail, kinds } from './kinds.ts';
import { type Caller, type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  let service: NamedService;
  let caller: Caller;
  beforeAll(async () => {
    service = await startService(kind);
    caller = await service.newCaller({ organisation: true });
  });
  afterAll(() => service.close());

  interface Page {
    versions: { number: number; digest: string; createdAt: string }[];
    cursor?: string;
  }

  async function published(name: string, ...texts: [string, ...string[]]): Promise<Detail & { at: string }> {
    const created = await caller.create({ name, instructions: texts[0] });
    const at = kind.at(created);
    for (const instructions of texts.slice(1))
      await caller.send('PATCH', `${kind.path}/${at}`, { body: { instructions } });
    return { ...created, at };
  }

  const get = (path: string) => caller.send('GET', `${kind.path}/${path}`);
  const restore = (at: string, number: number | string, headers = {}) =>
    caller.send('POST', `${kind.path}/${at}/versions/${number}/restore`, { headers });

  test(`GET ${kind.path}/{id}/versions 200: each version with its digest and time, newest first`, async () => {
    const { at } = await published('listed', 'one', 'two two');
    const answer = await get(`${at}/versions`);
    expect(answer.status).toBe(200);
    const createdAt = new Date(service.deps.clock()).toISOString();
    expect(answer.json<Page>()).toEqual({
      versions: [
        { number: 2, digest: kind.digestOf('two two'), createdAt, ...kind.recorded },
        { number: 1, digest: kind.digestOf('one'), createdAt, ...kind.recorded },
      ],
    });
  });

  test(`GET ${kind.path}/{id}/versions 200: pages lead through all of them, whatever the limit`, async () => {
    const { at } = await published('paged', 'a', 'b', 'c', 'd', 'e');
    const numbers: number[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page: Page = (await get(`${at}/versions?limit=2&cursor=${cursor}`)).json<Page>();
      expect(page.versions.length).toBeLessThanOrEqual(2);
      numbers.push(...page.versions.map(({ number }) => number));
      cursor = page.cursor;
    }
    expect(numbers).toEqual([5, 4, 3, 2, 1]);
    expect((await get(`${at}/versions?cursor=-1`)).json<Page>().versions).toHaveLength(5);
  });

  test.each([
    ['0', 'must be at least 1'],
    ['x', 'must be a whole number'],
    ['', 'must be a whole number'],
    [String(limits.skillVersionsPerPage + 1), `must be at most ${limits.skillVersionsPerPage}`],
  ])(`GET ${kind.path}/{id}/versions 400: limit=%s`, async (limit, problem) => {
    const { at } = await published(`limit-${limit || 'empty'}`, 'one');
    const answer = await get(`${at}/versions?limit=${limit}`);
    expect([answer.status, answer.text]).toEqual([400, `Invalid query:\nlimit: ${problem}`]);
  });

  test(`GET ${kind.path}/{id}/versions 200: a page of the longest instructions is whole`, async () => {
    const text = (i: number) => `${'🙂 word '.repeat(2_500)}${i}`;
    const { at } = await published('bulky', text(0), ...Array.from({ length: 59 }, (_, i) => text(i + 1)));
    expect((await get(`${at}/versions`)).json<Page>().versions.map(({ number }) => number)).toEqual(
      Array.from({ length: 60 }, (_, i) => 60 - i),
    );
  });

  test.runIf(kind.noun === 'agent')(
    'a page of long definitions ends after 2 MB, and the pages lead through all of them',
    async () => {
      const { at } = await published('heavy', 'one');
      for (let i = 2; i <= 40; i++) {
        const title = `${i} ${'x'.repeat(60_000)}`;
        const outputSchema = { ...{ type: 'object', title }, properties: {}, additionalProperties: false };
        await caller.send('PATCH', `${kind.path}/${at}`, { body: { outputSchema } });
      }
      const numbers: number[][] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const before = service.dynamo.requests();
        const page: Page = (await get(`${at}/versions?cursor=${cursor}`)).json<Page>();
        // The key, the rate, the name and the row are read, too.
        expect(service.dynamo.requests() - before).toBeLessThanOrEqual(4 + limits.versionsPageReads);
        numbers.push(page.versions.map(({ number }) => number));
        cursor = page.cursor;
      }
      expect(numbers.flat()).toEqual(Array.from({ length: 40 }, (_, i) => 40 - i));
      expect(numbers).toHaveLength(2);
    },
  );

  test(`GET ${kind.path}/{id}/versions/{n} 200: the bytes as they were published`, async () => {
    const { at } = await published('read', 'one\r\n', 'two');
    const answer = await get(`${at}/versions/1`);
    expect(answer.json()).toMatchObject({
      number: 1,
      instructions: 'one\r\n',
      digest: kind.digestOf('one\r\n'),
    });
  });

  test.each(['0', '3', '-1', '1.0', 'x', '99999999999999999999'])(
    `GET ${kind.path}/{id}/versions/%s 404`,
    async (number) => {
      const { at } = await published(`missing-${number.replace(/\W/g, '_')}`, 'one', 'two');
      const answer = await get(`${at}/versions/${number}`);
      expect([answer.status, answer.text]).toEqual([404, `${kind.title} version not found`]);
      expect((await restore(at, number)).status).toBe(404);
    },
  );

  test('one from before versions existed lists no versions, and none can be read', async () => {
    const owner = { scope: 'user', accountId: caller.accountId } as const;
    const { row } = await kind.importUnversioned(service.deps, owner, { name: 'old', instructions: 'x' });
    const at = kind.at(row);
    expect((await get(`${at}/versions`)).json<Page>()).toEqual({ versions: [] });
    expect((await get(`${at}/versions/0`)).status).toBe(404);
  });

  test("404: versions of what is not visible; the organisation's can be read and not restored", async () => {
    const foreign = await (await service.newCaller()).create({ name: 'foreign', instructions: 'x' });
    for (const path of [
      `${kind.at(foreign)}/versions`,
      `${kind.at(foreign)}/versions/1`,
      'x/versions',
      'x/versions/1',
    ]) {
      const answer = await get(path);
      expect([answer.status, answer.text]).toEqual([404, `${kind.title} not found`]);
    }
    const { organisationId } = caller;
    if (organisationId === undefined) throw new Error('the caller has no organisation');
    const input = { name: 'team', instructions: 'x' };
    const team = await kind.create(service.deps, { scope: 'organisation', organisationId }, input);
    expect((await get(`${kind.at(team.row)}/versions/1`)).status).toBe(200);
    for (const at of [kind.at(team.row), kind.at(foreign), 'x']) {
      const answer = await restore(at, 1);
      expect([answer.status, answer.text]).toEqual([404, `${kind.title} not found`]);
    }
  });

  test(`POST ${kind.path}/{id}/versions/{n}/restore 200: those bytes are the next version`, async () => {
    const { at, id } = await published('restored', 'one', 'two');
    const answer = await restore(at, 1);
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ id, version: 3, instructions: 'one' });
    expect(answer.headers.get('ETag')).toBe(`"3-${id}"`);
    const { versions } = (await get(`${at}/versions`)).json<Page>();
    expect(versions.map(({ digest }) => digest)).toEqual(['one', 'two', 'one'].map(kind.digestOf));
  });

  test('POST .../restore 200: restoring what is current publishes nothing', async () => {
    const { at } = await published('current', 'one');
    expect((await restore(at, 1)).json()).toMatchObject({ version: 1 });
  });

  test('POST .../restore 412: a stale tag restores nothing', async () => {
    const { at } = await published('stale', 'one', 'two');
    expect((await restore(at, 1, { 'If-Match': '"1"' })).status).toBe(412);
    expect((await restore(at, 1, { 'If-Match': '"2"' })).status).toBe(200);
  });
});
