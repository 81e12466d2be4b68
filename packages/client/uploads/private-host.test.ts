import { expect, test } from 'vitest';
import { isPrivateHost } from './read-ticket.ts';

const hostOf = (host: string) => new URL(`http://${host}/`).hostname;

test.each([
  ...['localhost', 'LOCALHOST.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'minio'],
  ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '0.0.0.0', '10.1.2.3', '172.16.0.1'],
  ...['172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.127.0.1', '127.0.0.1.'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[fd00:ec2::254]', '[fe80::1]', '[0:0:0:0:0:0:0:1]'],
  ...[
    '198.18.0.1',
    '198.19.255.255',
    '192.0.0.170',
    '224.0.0.1',
    '239.1.2.3',
    '240.0.0.1',
    '255.255.255.255',
  ],
  ...['[fec0::1]', '[ff02::1]', '[2002:a00:1::1]', '[2002:c0a8:101::]', '[2002:7f00::]', '[2002:c000::1]'],
  ...[
    '[::ffff:192.0.0.8]',
    '[::ffff:0:0]',
    '[::8.8.8.8]',
    '[64:ff9b::10.0.0.1]',
    'localhost..',
    '127.0.0.1..',
  ],
  ...['files.localdomain', 'files.intranet', 'files.corp', 'files.corp..'],
])('%s is of this machine or of a private network', (host) => {
  expect(isPrivateHost(hostOf(host))).toBe(true);
});

test.each([
  ...['errand.example.com', 'bucket.s3.eu-central-1.amazonaws.com', '8.8.8.8', '172.32.0.1', '172.15.0.1'],
  ...['100.63.0.1', '100.128.0.1', '11.0.0.1', '192.169.0.1', '[2001:db8::1]', 'localhost.example.com'],
  ...['[::ffff:8.8.8.8]', '[2002:808:808::1]', '[fc1::1]', '[fd::1]', '[2a05:d018::1]', 'corp.example.com'],
  ...['198.17.0.1', '198.20.0.1', '192.0.1.1', '192.0.2.1', '223.255.255.255', '10.1.2.example.com'],
])('%s is neither of this machine nor of a private network', (host) => {
  expect(isPrivateHost(hostOf(host))).toBe(false);
});
