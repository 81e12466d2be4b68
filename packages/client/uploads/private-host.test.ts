import { expect, test } from 'vitest';
import { isPrivateHost } from './private-host.ts';

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

test.each([
  ...['localhost', 'LOCALHOST.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'minio'],
  ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0.0.0.0', '10.1.2.3', '172.16.0.1'],
  ...['172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.127.0.1', '127.0.0.1.'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[fd00:ec2::254]', '[fe80::1]', '[0:0:0:0:0:0:0:1]'],
])('%s is of this machine or of a private network', (host) => {
  expect(isPrivateHost(hostOf(host))).toBe(true);
});

test.each([
  ...['errand.example.com', 'bucket.s3.eu-central-1.amazonaws.com', '8.8.8.8', '172.32.0.1', '172.15.0.1'],
  ...['100.63.0.1', '100.128.0.1', '11.0.0.1', '192.169.0.1', '[2001:db8::1]', 'localhost.example.com'],
])('%s is none of these', (host) => {
  expect(isPrivateHost(hostOf(host))).toBe(false);
});
