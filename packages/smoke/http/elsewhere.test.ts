import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { findElsewhere } from './elsewhere.ts';

const names: Record<string, string[]> = {
  'api.example.com': ['203.0.114.1'],
  'storage.example.com': ['203.0.114.2', '2a00::1'],
  'inside.example.com': ['203.0.114.2', '10.0.0.8'],
};

const find = (baseUrl: string, url: string) =>
  findElsewhere(baseUrl, url, async (host) =>
    (isIP(host) ? [host] : (names[host] ?? [])).map((address) => ({ address, family: isIP(address) })),
  );

test('a service on the internet may name storage on the internet', async () => {
  const found = await find('https://api.example.com', 'https://storage.example.com/a?b=c');
  expect(found.map(({ address }) => address)).toEqual(names['storage.example.com']);
});

test.each([
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://169.254.169.254/latest/meta-data',
  'https://10.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://100.64.0.1/',
  'https://inside.example.com/',
])('a service on the internet cannot send us to %s', async (url) => {
  await expect(find('https://api.example.com', url)).rejects.toThrow('is not on the internet');
});

test.each(['http://storage.example.com/', 'file:///etc/passwd'])(
  'a service over HTTPS cannot send us to %s',
  async (url) => {
    await expect(find('https://api.example.com', url)).rejects.toThrow('the service is at https://api');
  },
);

test('a service on this machine or in a private network has its storage there', async () => {
  expect(await find('http://127.0.0.1:8080', 'http://127.0.0.1:9000/a')).toHaveLength(1);
  expect(await find('http://10.0.0.1', 'http://10.0.0.2/a')).toHaveLength(1);
});
