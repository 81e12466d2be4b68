import type { RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { command } from './support/command.ts';
import { startHostile } from './support/hostile.ts';

const key = `errand_${'a1B2'.repeat(10)}`;

async function hostile(answer: RequestListener): Promise<string> {
  const { baseUrl, close } = await startHostile(answer);
  onTestFinished(close);
  return baseUrl;
}

test.each([
  ['the table', 'one of the form of keys', [], key],
  ['the JSON', 'one of another form', ['--json'], 'a key of another form'],
])(
  'a service that answers with what it was sent has no key printed in %s, %s, and steers no terminal',
  async (_, __, more, sent) => {
    const baseUrl = await hostile((request, response) => {
      request.resume();
      response.writeHead(500).end(`\u001b[1A\u001b[2Kthe request was ${request.headers.authorization}`);
    });
    const { out, err } = await command([baseUrl, '--only', 'rate', ...more], { ERRAND_API_KEY: sent });
    expect(out).toContain('[1A[2Kthe request was Bearer ***');
    expect(out + err).not.toContain(sent);
    expect(out + err).not.toMatch(/\u001b|\\u001b/);
  },
);
