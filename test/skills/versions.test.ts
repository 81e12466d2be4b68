import { limits, sha256Hex } from '@errand/platform';
import { createSkill, importUnversionedSkill } from '@errand/skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, type SkillService, startSkillService } from './support.ts';

let service: SkillService;
let caller: Caller;
beforeAll(async () => {
  service = await startSkillService();
  caller = await service.newCaller({ organisation: true });
});
afterAll(() => service.close());

interface Page {
  versions: { number: number; digest: string; createdAt: string; tokens: number; instructions?: string }[];
  cursor?: string;
}

async function published(name: string, ...texts: [string, ...string[]]): Promise<string> {
  const { id } = await caller.create({ name, instructions: texts[0] });
  for (const instructions of texts.slice(1))
    await caller.send('PATCH', `/v1/skills/${id}`, { body: { instructions } });
  return id;
}

const get = (path: string) => caller.send('GET', `/v1/skills/${path}`);
const restore = (id: string, number: number | string, headers = {}) =>
  caller.send('POST', `/v1/skills/${id}/versions/${number}/restore`, { headers });

test('GET /v1/skills/{id}/versions 200: each version with its digest, tokens and time, newest first', async () => {
  const id = await published('listed', 'one', 'two two');
  const answer = await get(`${id}/versions`);
  expect(answer.status).toBe(200);
  const at = new Date(service.deps.clock()).toISOString();
  expect(answer.json<Page>()).toEqual({
    versions: [
      { number: 2, digest: sha256Hex('two two'), createdAt: at, tokens: expect.any(Number) },
      { number: 1, digest: sha256Hex('one'), createdAt: at, tokens: expect.any(Number) },
    ],
  });
});

test('GET /v1/skills/{id}/versions 200: pages lead through all of them, whatever the limit', async () => {
  const id = await published('paged', 'a', 'b', 'c', 'd', 'e');
  const numbers: number[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const page: Page = (await get(`${id}/versions?limit=2&cursor=${cursor}`)).json<Page>();
    expect(page.versions.length).toBeLessThanOrEqual(2);
    numbers.push(...page.versions.map(({ number }) => number));
    cursor = page.cursor;
  }
  expect(numbers).toEqual([5, 4, 3, 2, 1]);
  expect((await get(`${id}/versions?cursor=-1`)).json<Page>().versions).toHaveLength(5);
});

test.each([
  ['0', 'must be at least 1'],
  ['x', 'must be a whole number'],
  ['', 'must be a whole number'],
  [String(limits.skillVersionsPerPage + 1), `must be at most ${limits.skillVersionsPerPage}`],
])('GET /v1/skills/{id}/versions 400: limit=%s', async (limit, problem) => {
  const id = await published(`limit-${limit || 'empty'}`, 'one');
  const answer = await get(`${id}/versions?limit=${limit}`);
  expect([answer.status, answer.text]).toEqual([400, `Invalid query:\nlimit: ${problem}`]);
});

test('GET /v1/skills/{id}/versions 200: a page of the longest instructions is whole', async () => {
  const text = (i: number) => `${'🙂 word '.repeat(2_500)}${i}`;
  const id = await published('bulky', text(0), ...Array.from({ length: 59 }, (_, i) => text(i + 1)));
  expect((await get(`${id}/versions`)).json<Page>().versions.map(({ number }) => number)).toEqual(
    Array.from({ length: 60 }, (_, i) => 60 - i),
  );
});

test('GET /v1/skills/{id}/versions/{n} 200: the bytes as they were published', async () => {
  const id = await published('read', 'one\r\n', 'two');
  const answer = await get(`${id}/versions/1`);
  expect(answer.json()).toMatchObject({ number: 1, instructions: 'one\r\n', digest: sha256Hex('one\r\n') });
});

test.each(['0', '3', '-1', '1.0', 'x', '99999999999999999999'])(
  'GET /v1/skills/{id}/versions/%s 404',
  async (number) => {
    const id = await published(`missing-${number.replace(/\W/g, '_')}`, 'one', 'two');
    const answer = await get(`${id}/versions/${number}`);
    expect([answer.status, answer.text]).toEqual([404, 'Skill version not found']);
    expect((await restore(id, number)).status).toBe(404);
  },
);

test('a skill from before versions existed lists no versions, and none can be read', async () => {
  const owner = { scope: 'user', accountId: caller.accountId } as const;
  const { row } = await importUnversionedSkill(service.deps, owner, { name: 'old', instructions: 'x' });
  expect((await get(`${row.id}/versions`)).json<Page>()).toEqual({ versions: [] });
  expect((await get(`${row.id}/versions/0`)).status).toBe(404);
});

test("404: versions of a skill that is not visible; the organisation's can be read and not restored", async () => {
  const foreign = await (await service.newCaller()).create({ name: 'foreign', instructions: 'x' });
  for (const path of [`${foreign.id}/versions`, `${foreign.id}/versions/1`, 'x/versions', 'x/versions/1']) {
    const answer = await get(path);
    expect([answer.status, answer.text]).toEqual([404, 'Skill not found']);
  }
  const { organisationId } = caller;
  if (organisationId === undefined) throw new Error('the caller has no organisation');
  const input = { name: 'team', instructions: 'x' };
  const team = await createSkill(service.deps, { scope: 'organisation', organisationId }, input);
  expect((await get(`${team.row.id}/versions/1`)).status).toBe(200);
  for (const id of [team.row.id, foreign.id, 'x']) {
    const answer = await restore(id, 1);
    expect([answer.status, answer.text]).toEqual([404, 'Skill not found']);
  }
});

test('POST /v1/skills/{id}/versions/{n}/restore 200: those bytes are the next version', async () => {
  const id = await published('restored', 'one', 'two');
  const answer = await restore(id, 1);
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ id, version: 3, instructions: 'one' });
  expect(answer.headers.get('ETag')).toBe(`"3-${id}"`);
  const { versions } = (await get(`${id}/versions`)).json<Page>();
  expect(versions.map(({ digest }) => digest)).toEqual(['one', 'two', 'one'].map((text) => sha256Hex(text)));
});

test('POST .../restore 200: restoring what is current publishes nothing', async () => {
  const id = await published('current', 'one');
  expect((await restore(id, 1)).json()).toMatchObject({ version: 1 });
});

test('POST .../restore 412: a stale tag restores nothing', async () => {
  const id = await published('stale', 'one', 'two');
  expect((await restore(id, 1, { 'If-Match': '"1"' })).status).toBe(412);
  expect((await restore(id, 1, { 'If-Match': '"2"' })).status).toBe(200);
});
