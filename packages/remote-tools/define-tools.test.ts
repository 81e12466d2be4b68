import { describe, expect, test } from 'vitest';
import { defineTools } from './define-tools.ts';
import { type RemoteServer, secretTexts, withoutSecrets } from './server.ts';

const contextTokens = 32_768;
const serverWith = (authorization: string): RemoteServer => ({
  label: 'odd',
  url: 'https://tools.test/mcp',
  authorization,
});
const listed = (inputSchema: Record<string, unknown>, description = '') => ({
  name: 'say',
  description,
  inputSchema: { type: 'object', ...inputSchema },
});
const defined = (authorization: string, tool: ReturnType<typeof listed>) =>
  defineTools([{ server: serverWith(authorization), tools: [tool] }], contextTokens);

describe('a definition', () => {
  test.each(['"', '1', '10', '\\', ':', '{"', '12345678'])(
    'stays a definition, or is left out, whatever the authorization is: %s',
    (authorization) => {
      const parameters = { properties: { a: { type: 'number', maximum: 12345678, minimum: 10 } } };
      const [tool] = defined(authorization, listed(parameters));
      expect(tool?.name).toMatch(/^odd__(say|list_tools)$/);
      if (authorization.length >= 4) expect(JSON.stringify(tool)).not.toContain(authorization);
      else expect(tool?.parameters).toMatchObject(parameters);
    },
  );

  test('that has the authorization in a name or a number is left out', () => {
    for (const properties of [{ 'token-12345678': {} }, { a: { maximum: 12345678 } }])
      expect(defined('12345678', listed({ properties }))[0]?.name).toBe('odd__list_tools');
  });

  test('has no lone surrogates, which no provider takes', () => {
    const [tool] = defined(
      'token',
      listed({ properties: { '\ud800': { description: '\udc00' } } }, '\ud800'),
    );
    expect(JSON.stringify(tool)).not.toMatch(/\\ud[89a-f]/);
    expect(tool?.name).toBe('odd__say');
  });

  test('that is nested too deep for providers, or for the stack, is left out', () => {
    for (const levels of [100, 100_000]) {
      let deep: Record<string, unknown> = {};
      for (let i = 0; i < levels; i++) deep = { properties: deep };
      expect(defined('token', listed(deep))[0]?.name).toBe('odd__list_tools');
    }
  });
});

describe('an authorization', () => {
  test.each([
    ['s3cret/+token', 's3cret/+token'],
    ['Bearer s3cret/+token', 's3cret/+token'],
    ['Bearer s3cret/+token', 'S3CRET/+TOKEN'],
    ['Bearer s3cret/+token', encodeURIComponent('s3cret/+token')],
    ['Bearer s3cret/+token', Buffer.from('s3cret/+token').toString('base64').replace(/=+$/, '')],
    ['Bearer s3"cret', JSON.stringify('s3"cret').slice(1, -1)],
    [`Basic ${Buffer.from('ann:open sesame').toString('base64')}`, 'ann:open sesame'],
    [`Basic ${Buffer.from('ann:open sesame').toString('base64')}`, 'open sesame'],
  ])('%s is masked where a server repeats it as %s', (authorization, repeated) => {
    const masked = withoutSecrets(serverWith(authorization), `You are ${repeated}.`);
    expect(masked).toBe('You are [authorization].');
  });

  test('that is absent masks nothing in a text', () => {
    const server = { label: 'odd', url: 'https://tools.test/mcp' };
    expect(withoutSecrets(server, 'All\nof it.$')).toBe('All\nof it.$');
  });

  test('that holds a login has its password searched for in calls too', () => {
    const authorization = `Basic ${Buffer.from('ann:open sesame').toString('base64')}`;
    expect(secretTexts({ authorization })).toContain('open sesame');
  });
});

test.each([
  ['Basic bWU6aHVudGVyMg==', 'login_hunter2 failed', 'login_[authorization] failed'],
  ['Basic bWU6aHVudGVyMg==', 'see hunter2.example.com', 'see [authorization].example.com'],
  ['k7x9', 'api_key_k7x9-1', 'api_key_[authorization]-1'],
])('a short authorization is hidden inside words, too: %s', (authorization, text, shown) => {
  expect(withoutSecrets(serverWith(authorization), text)).toBe(shown);
});
