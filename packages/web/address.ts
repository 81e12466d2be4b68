import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses in public ranges that a cloud's own network answers. */
const platformAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

/** IPv4-mapped and NAT64: the connection ends at the IPv4 address in the last 32 bits. */
const carriers = ['::ffff:0:0/96', '64:ff9b::/96'].map((block) => ipaddr.IPv6.parseCIDR(block));
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const notGlobal = ['2001::/23', '3fff::/20'].map((block) => ipaddr.IPv6.parseCIDR(block));

/**
 * Whether an address belongs to the public internet. Private, loopback, link-local, shared, multicast, reserved and
 * documentation ranges do not, nor do tunnels (6to4, Teredo) and texts that do not parse. IPv4-mapped and NAT64
 * addresses are judged by the IPv4 address inside.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  return isIP(address) === 4
    ? isPublicIpv4(ipaddr.IPv4.parse(address))
    : isPublicIpv6(ipaddr.IPv6.parse(withoutDottedTail(address)));
}

/** `ipaddr.js` (2.5.0) reads `::8.8.8.8` as `::ffff:8.8.8.8`, another address. A hexadecimal tail is read correctly. */
function withoutDottedTail(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !platformAddresses.has(address.toString());
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (carriers.some((block) => address.match(block))) {
    return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  return (
    address.range() === 'unicast' &&
    address.match(globalUnicast) &&
    !notGlobal.some((block) => address.match(block))
  );
}
