import { describe, expect, test } from 'vitest';
import { foreignHostMessage, refuseForeignHosts } from './refuse-foreign-hosts.ts';

const requestTo = (host: string, url = `http://${host}/v1/credits`) =>
  new Request(url, { headers: { Host: host } });
const own = [
  'localhost',
  'LOCALHOST:8787',
  '127.0.0.1',
  '127.0.0.1:1',
  '127.8.8.8:8787',
  '[::1]',
  '[::1]:8787',
];
const foreign = [
  'attacker.example',
  'attacker.example:8787',
  'localhost.attacker.example',
  '127.0.0.1.attacker.example',
  'localhost.',
  'api.localhost',
  '192.168.0.10:8787',
  '0.0.0.0:8787',
  '[::2]:8787',
  'localhost:8787:9',
];

describe.each(['127.0.0.1', 'localhost', '::1', '127.0.0.2'])('a service that listens on %s', (host) => {
  const refuse = refuseForeignHosts({ host });

  test.each(own)('answers requests to %s', (name) => {
    expect(refuse(requestTo(name))).toBeUndefined();
  });

  test.each(foreign)('refuses requests to %s, and says what to set', async (name) => {
    const refused = refuse(requestTo(name, 'http://127.0.0.1/v1/credits'));
    expect(refused?.status).toBe(421);
    expect(refused?.headers.get('Content-Type')).toMatch(/^text\/plain/);
    expect(refused?.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await refused?.text()).toBe(foreignHostMessage);
    expect(foreignHostMessage).toContain('PUBLIC_URL');
  });

  test('refuses a foreign address in the first line, whatever its Host', () => {
    expect(refuse(requestTo('127.0.0.1', 'http://attacker.example/mcp'))?.status).toBe(421);
  });

  test('answers every host once its public address is set', () => {
    const open = refuseForeignHosts({ host, publicUrl: 'https://errand.example' });
    for (const name of [...own, 'errand.example', 'attacker.example'])
      expect(open(requestTo(name))).toBeUndefined();
  });
});

test.each(['0.0.0.0', '::', '192.168.0.10', 'errand.internal'])(
  'a service that listens on %s, where others reach it by names of their own, answers every host',
  (host) => {
    const refuse = refuseForeignHosts({ host });
    for (const name of ['errand', 'errand.internal:8787', '192.168.0.10'])
      expect(refuse(requestTo(name))).toBeUndefined();
  },
);
