/** True if the text contains the name as a separate word, in any case. */
export function namesWord(text: string, name: string): boolean {
  const [words, wanted] = [text.toLowerCase(), name.toLowerCase()];
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
    const before = words.slice(Math.max(0, at - 2), at);
    const after = words.slice(at + wanted.length, at + wanted.length + 2);
    if (!/[\p{L}\p{N}_]$/u.test(before) && !/^[\p{L}\p{N}_]/u.test(after)) return true;
  }
  return false;
}
