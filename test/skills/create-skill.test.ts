import { limits, sha256Hex } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, type SkillService, startSkillService } from './support.ts';

let service: SkillService;
let caller: Caller;
beforeAll(async () => {
  service = await startSkillService();
  caller = await service.newCaller();
});
afterAll(() => service.close());

const post = (body: unknown) => caller.send('POST', '/v1/skills', { body });
const valid = { name: 'valid', instructions: 'Do it.' };

describe('POST /v1/skills 201', () => {
  test('answers the whole skill, enabled, version 1, with its place and tag', async () => {
    const answer = await post({
      name: 'Legal-Tone_2',
      description: 'When formal',
      instructions: 'Be formal.\n',
    });
    expect(answer.status).toBe(201);
    const skill = answer.json();
    expect(skill).toEqual({
      id: expect.stringMatching(/^skill_[0-9A-Za-z]{20}$/),
      name: 'Legal-Tone_2',
      description: 'When formal',
      instructions: 'Be formal.\n',
      enabled: true,
      scope: 'user',
      version: 1,
      createdAt: '2026-11-21T10:00:00.000Z',
      updatedAt: '2026-11-21T10:00:00.000Z',
    });
    expect(answer.headers.get('Location')).toBe(`/v1/skills/${skill.id}`);
    expect(answer.headers.get('ETag')).toMatch(/^".+"$/);
    expect(answer.headers.get('RateLimit-Remaining')).not.toBeNull();
    expect(answer.headers.get('X-Request-Id')).not.toBeNull();
  });

  test('a description left out is empty, and unknown fields are ignored', async () => {
    const answer = await post({ name: 'bare', instructions: 'x', version: 7, enabled: false, colour: 'red' });
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
    const answer = await caller.send('POST', '/v1/skills', {
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

describe('POST /v1/skills 400', () => {
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
    ['text', 'skill', ['body: must be a JSON object']],
    ['a number', 5, ['body: must be a JSON object']],
  ])('%s has one line per issue in its answer', async (_, body, lines) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(answer.text).toBe(['Invalid skill:', ...lines].join('\n'));
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
    const answer = await caller.send('POST', '/v1/skills', { text });
    expect([answer.status, answer.text]).toEqual([400, `Invalid skill:\n${line}`]);
  });

  test('too long instructions answer JSON with the limit and the length', async () => {
    const limit = limits.skillInstructionsCharacters;
    const actual = limit + 1;
    const answer = await post({ ...valid, instructions: '🙂'.repeat(actual) });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(answer.json<unknown>()).toEqual({
      error: { message: expect.any(String), code: 'instructions_too_long', limit, actual },
    });
  });

  test('too long instructions are refused before anything else that is wrong', async () => {
    const actual = limits.skillInstructionsCharacters + 5_000;
    const answer = await post({ name: '', description: 5, instructions: 'x'.repeat(actual) });
    expect(answer.json<unknown>()).toMatchObject({ error: { code: 'instructions_too_long', actual } });
  });

  test('a refused skill leaves nothing behind', async () => {
    const other = await service.newCaller();
    await other.send('POST', '/v1/skills', { body: { name: 'x', instructions: '' } });
    expect((await other.send('GET', '/v1/skills')).text).toBe('{"skills":[]}');
  });
});

test('POST /v1/skills 409: a name that the caller has is refused, also when that skill is disabled', async () => {
  const { id } = await caller.create({ name: 'taken', instructions: 'x' });
  await caller.send('PATCH', `/v1/skills/${id}`, { body: { enabled: false } });
  const answer = await post({ name: 'taken', instructions: 'other' });
  expect([answer.status, answer.text]).toEqual([409, 'You already have a skill named taken.']);
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/);
});

test('POST /v1/skills 413: a body past the size limit is not read to its end', async () => {
  const answer = await post({ ...valid, colour: 'x'.repeat(limits.jsonBodyBytes) });
  expect(answer.status).toBe(413);
});

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
