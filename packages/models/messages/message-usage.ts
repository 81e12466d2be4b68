/** The `usage` of a message as a chat completion has it. */
export function toChatUsage(_usage: unknown): Record<string, unknown> | undefined {
  throw new Error('to be written');
}
