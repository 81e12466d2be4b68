/** URLs have every spelling of an IPv4 address as four decimal numbers, and IPv6 in brackets, as short as it can be. */
const privateForms = [
  // This network, private, loopback, multicast, and what is reserved.
  /^(0|10|127|22[4-9]|2[345]\d)\.\d+\.\d+\.\d+$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^169\.254\.\d+\.\d+$/,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.(168\.\d+|0\.0)\.\d+$/,
  /^198\.1[89]\.\d+\.\d+$/,
  // Loopback and IPv4 within IPv6; unique local, link-local, site-local and multicast addresses.
  /^\[(::|64:ff9b:|f[cdf][\da-f]{2}:|fe[89a-f][\da-f]:)/,
  /(^|\.)(localhost|localdomain|local|internal|intranet|corp|lan|home\.arpa)$/,
];

/** The IPv4 address to which an IPv6 address leads, if it is one of those that are mapped, or of 6to4. */
function ipv4Within(name: string): string | undefined {
  const [, ...groups] = /^\[(?:::ffff|2002):([\da-f]*):([\da-f]*)/.exec(name) ?? [];
  if (groups.length === 0) return undefined;
  return groups
    .map((group) => Number.parseInt(group || '0', 16))
    .map((value) => `${value >> 8}.${value & 255}`)
    .join('.');
}

/** Whether a host, as a URL has it, is of this machine or of a private network, by its name alone. */
export function isPrivateHost(hostname: string): boolean {
  const given = hostname.replace(/\.+$/, '');
  const name = ipv4Within(given) ?? given;
  const isSingleWord = !name.includes('.') && !name.startsWith('[');
  return isSingleWord || privateForms.some((form) => form.test(name));
}
