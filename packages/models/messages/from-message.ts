type Fields = Record<string, unknown>;

/** A message as a chat completion. Undefined if it cannot be read. */
export function fromMessage(
  _message: unknown,
): (Fields & { choices: unknown[]; usage?: unknown }) | undefined {
  throw new Error('to be written');
}
