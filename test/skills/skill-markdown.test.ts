import { limits, sha256Hex } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skills } from '../versions/kinds.ts';
import { type Caller, type NamedService, startService } from '../versions/support.ts';

let service: NamedService;
let caller: Caller;
beforeAll(async () => {
  service = await startService(skills);
  caller = await service.newCaller();
});
afterAll(() => service.close());

describe('POST /v1/skills with a SKILL.md', () => {
  const postMarkdown = (text: string | Uint8Array<ArrayBuffer>, type = 'text/markdown') =>
    caller.send('POST', '/v1/skills', { text, headers: { 'Content-Type': type } });

  test('201: front matter names the skill, and the bytes after it are its instructions', async () => {
    const instructions = '# Steps\r\n\r\n---\n1. Look.\n';
    const file = `---\nname: from-file\ndescription: >-\n  When a file\n  is sent\nlicense: MIT\n---\n\n${instructions}`;
    const answer = await postMarkdown(file, 'Text/Markdown; charset=utf-8');
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json()).toMatchObject({
      name: 'from-file',
      description: 'When a file is sent',
      instructions,
    });
  });

  test('201: a name that looks like a number is a name', async () => {
    expect((await postMarkdown('---\nname: 1984\n---\nx')).json()).toMatchObject({
      name: '1984',
      instructions: 'x',
    });
  });

  test.each([
    ['no front matter', '# Steps', 'front matter: is missing: the file must begin with a line ---'],
    ['no end of it', '---\nname: a\n', 'front matter: must end with a line ---'],
    [
      'no YAML',
      '---\nname: a\ndescription: Use when: asked\n---\nx',
      'front matter: is not valid YAML (line 3)',
    ],
    ['a list', '---\n- a\n---\nx', 'front matter: must have a name'],
    ['no name', '---\ndescription: d\n---\nx', 'name: is required'],
    ['a name that is a list', '---\nname: [a]\n---\nx', 'name: must be a string'],
    ['an alias', '---\na: &a [x]\nname: *a\n---\nx', 'front matter: is not valid YAML'],
    ['deep nesting', `---\nname: ${'['.repeat(8_000)}\n---\nx`, 'front matter: is not valid YAML (line 2)'],
    [
      'a long one',
      `---\nname: a\nnote: ${'x'.repeat(8_200)}\n---\nx`,
      'front matter: must have at most 8,192 characters',
    ],
    ['no instructions', '---\nname: a\n---\n', 'instructions: must not be empty'],
    ['bytes that are no UTF-8', new Uint8Array([0x2d, 0xff]), 'body: must be valid UTF-8'],
  ])('400: %s', async (_, text, line) => {
    const answer = await postMarkdown(text);
    expect([answer.status, answer.text]).toEqual([400, `Invalid skill:\n${line}`]);
  });

  test('400: too long instructions in a file answer as they do in JSON', async () => {
    const actual = limits.skillInstructionsCharacters + 1;
    const answer = await postMarkdown(`---\nname: long\n---\n${'x'.repeat(actual)}`);
    expect(answer.json<unknown>()).toMatchObject({
      error: { code: 'instructions_too_long', actual },
    });
  });

  test('what is exported is imported with the same digest', async () => {
    const instructions = '\n\n---\nFirst, <b>look</b> 🙂\r\n';
    const { id } = await caller.create({ name: 'round', description: 'a: "b" # c', instructions });
    const file = await caller.send('GET', `/v1/skills/${id}`, { headers: { Accept: 'text/markdown' } });
    expect(file.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8');
    const other = await service.newCaller();
    const answer = await other.send('POST', '/v1/skills', {
      text: file.text,
      headers: { 'Content-Type': 'text/markdown' },
    });
    expect(answer.json()).toMatchObject({ name: 'round', description: 'a: "b" # c', instructions });
    const versions = await other.send('GET', `/v1/skills/${answer.json().id}/versions/1`);
    expect(versions.json<{ digest: string }>().digest).toBe(sha256Hex(instructions));
  });
});

describe('GET /v1/skills/{id}', () => {
  test('304 for a caller who has the form already; markdown and JSON have different tags', async () => {
    const { id } = await caller.create({ name: 'fresh', instructions: 'x' });
    const get = (headers: Record<string, string>) => caller.send('GET', `/v1/skills/${id}`, { headers });
    const answer = await get({ 'If-None-Match': `"1-${id}"`, Accept: 'text/markdown' });
    expect([answer.status, answer.headers.get('Vary')]).toEqual([200, expect.stringContaining('Accept')]);
    expect((await get({ 'If-None-Match': `"1-${id}-markdown"`, Accept: 'text/markdown' })).status).toBe(304);
  });

  test('Accept decides the form by its quality values', async () => {
    const { id } = await caller.create({ name: 'formed', instructions: 'Do.' });
    const typeFor = async (Accept: string) =>
      (await caller.send('GET', `/v1/skills/${id}`, { headers: { Accept } })).headers.get('Content-Type');
    expect(await typeFor('text/markdown')).toMatch(/^text\/markdown/);
    expect(await typeFor('application/json;q=0.5, text/markdown')).toMatch(/^text\/markdown/);
    expect(await typeFor('text/markdown;q=0.5, application/json')).toMatch(/^application\/json/);
    expect(await typeFor('*/*')).toMatch(/^application\/json/);
  });
});
