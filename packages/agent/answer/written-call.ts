/** A tag, a fence or nothing around an object of JSON. */
const shapes = [
  /^<tool_call>\s*(\{[\s\S]*\})\s*(?:<\/tool_call>)?$/,
  /^```(?:json)?\s*(\{[\s\S]*\})\s*```$/,
  /^(\{[\s\S]*\})$/,
];

/** The fields of a call that was written out. */
const callFields: ReadonlySet<string> = new Set(['name', 'arguments', 'parameters', 'id', 'type']);

/**
 * The name of the tool that a text calls, if the text is a call that was written out instead of made; empty if that name cannot
 * be read. Undefined for any other text.
 */
export function writtenCall(text: string, isTool: (name: string) => boolean): string | undefined {
  const trimmed = text.trim();
  for (const shape of shapes) {
    const json = shape.exec(trimmed)?.[1];
    const name = json === undefined ? undefined : nameIn(json);
    if (name !== undefined && isTool(name)) return name;
  }
  // The text is several calls, or a call whose JSON is wrong.
  return trimmed.startsWith('<tool_call>')
    ? (/"name"\s*:\s*"([\w-]{1,128})"/.exec(trimmed)?.[1] ?? '')
    : undefined;
}

function nameIn(json: string): string | undefined {
  let call: unknown;
  try {
    call = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { name, arguments: args, parameters = args } = call as Record<string, unknown>;
  const isCall =
    typeof parameters === 'object' && Object.keys(call as object).every((key) => callFields.has(key));
  return isCall && typeof name === 'string' ? name : undefined;
}

/** How often a model is told that a call was not made because it was only written out. */
export const writtenCallsTold = 2;

export const describeWritten = (name: string, mayCall: boolean): string =>
  `Error: ${name === '' ? 'A call of a tool' : `A call of ${name}`} was written as text, so it was not made. ${
    mayCall
      ? 'Make it as a tool call of the protocol, or write the answer.'
      : 'No more tools can be called: write the answer.'
  }`;
