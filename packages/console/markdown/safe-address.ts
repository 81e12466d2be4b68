/** The address of a link that may be followed: a page, or somebody to write to. Undefined for all others. */
export function safeAddress(address: string): string | undefined {
  try {
    const { protocol, href } = new URL(address);
    return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
