/**
 * The longest beginning of the address that the caller's texts name, with at least its whole host; undefined if none
 * of them names the host.
 */
export function namedBeginning(address: string, texts: readonly string[]): string | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const whole = afterScheme(url);
  let longest = 0;
  for (const named of texts.flatMap((text) => addressesIn(text, url.hostname))) {
    if (named.host !== url.host) continue;
    const other = afterScheme(named);
    let length = url.host.length;
    while (length < whole.length && whole[length] === other[length]) length++;
    longest = Math.max(longest, length);
  }
  return longest === 0 ? undefined : `${url.protocol}//${whole.slice(0, longest)}`;
}

const afterScheme = ({ host, pathname, search, hash }: URL): string => host + pathname + search + hash;

/** The addresses of a text that may be of this host, with and without the punctuation behind them. */
const addressesIn = (text: string, hostname: string): URL[] =>
  text
    .split(/[\s<>"`|]+/)
    .filter((word) => word.toLowerCase().includes(hostname))
    .flatMap((word) => word.split(/(?=https?:\/\/)/i))
    .flatMap((word) => [word, withoutPunctuationBehind(word)])
    .map((word) => (/^https?:/i.test(word) ? word : `https://${word.replace(/^[^\p{L}\p{N}]+/u, '')}`))
    .flatMap((word) => URL.parse(word) ?? []);

function withoutPunctuationBehind(word: string): string {
  let end = word.length;
  while (end > 0 && !/[\p{L}\p{N}/]/u.test(word[end - 1]!)) end--;
  return word.slice(0, end);
}
