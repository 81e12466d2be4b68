import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './address.ts';

const refused = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fec0::1'],
  metadata: ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  shared: ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  broadcast: ['255.255.255.255'],
  reserved: [
    '240.0.0.1',
    '192.0.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '192.88.99.1',
    '100::1',
    '5f00::1',
    '4000::1',
  ],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8', '::ffff:0:7f00:1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::808:808'],
  'not canonical': [
    '',
    'localhost',
    '0177.0.0.1',
    '2130706433',
    '0x7f000001',
    '127.1',
    '1.1.1.1.',
    'fe80::1%lo',
    '2a00::1%lo',
  ],
};

describe('isPublicAddress', () => {
  for (const [kind, addresses] of Object.entries(refused)) {
    it.each(addresses)(`${kind}: %s is refused`, (address) => {
      expect(isPublicAddress(address)).toBe(false);
    });
  }

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '223.255.255.255',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it('an IPv4 address is judged the same inside an IPv4-mapped and a NAT64 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = isPublicAddress(address);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(expected);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(expected);
      }),
    );
  });

  it('no address of a private block is public, also inside an IPv6 address', () => {
    const blocks = [
      [0x0a000000, 8],
      [0xac100000, 12],
      [0xc0a80000, 16],
      [0x7f000000, 8],
      [0xa9fe0000, 16],
      [0x64400000, 10],
      [0xe0000000, 3],
      [0x00000000, 8],
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...blocks), fc.nat(0xffffffff), ([base, bits], random) => {
        const value = (base | (random & (2 ** (32 - bits) - 1))) >>> 0;
        const dotted = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
        const [high, low] = [(value >>> 16).toString(16), (value & 0xffff).toString(16)];
        const forms = [
          dotted,
          `::ffff:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
          `::${high}:${low}`,
        ];
        for (const form of forms) expect(isPublicAddress(form), form).toBe(false);
      }),
    );
  });
});
