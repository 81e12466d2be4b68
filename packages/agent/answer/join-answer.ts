/**
 * A continuation repeats the end of the earlier text if it begins with at least this many characters of that end.
 */
const leastRepeated = 12;
const mostRepeated = 400;

/** The line at the end of an answer that is not whole. */
export const cutNotice = '[The answer was cut here, because it had reached its greatest length.]';
export const brokenNotice = '[The answer ends here, because its model could not be reached any more.]';
export const filterNotice = "[The answer was ended here by the provider's content filter.]";

export const withNotice = (text: string, notice: string): string => `${text.trimEnd()}\n\n${notice}`;

/** The earlier text and its continuation, without the part of the earlier text that the continuation repeats. */
export function joinAnswer(before: string, continuation: string): string {
  if (before === '') return continuation;
  const most = Math.min(mostRepeated, before.length, continuation.length);
  for (let length = most; length >= leastRepeated; length--)
    if (before.endsWith(continuation.slice(0, length))) return before + continuation.slice(length);
  return before + continuation;
}
