/** URLs have every spelling of an IPv4 address as four decimal numbers, and IPv6 in brackets. */
const privateForms = [
  /^(0|10|127)\.\d+\.\d+\.\d+$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^169\.254\.\d+\.\d+$/,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
  // Loopback, IPv4 within IPv6, unique local and link-local addresses.
  /^\[(::|64:ff9b:|f[cd]|fe[89ab])/,
  /(^|\.)(localhost|local|internal|lan|home\.arpa)$/,
];

/** Whether a host, as a URL has it, is of this machine or of a private network, by its name alone. */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '');
  const isSingleWord = !name.includes('.') && !name.startsWith('[');
  return isSingleWord || privateForms.some((form) => form.test(name));
}
