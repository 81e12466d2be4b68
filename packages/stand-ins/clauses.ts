const quoted = /"([^"]*)"|“([^“”]*)”|`([^`]*)`|(?<=^|\s)'((?:[^']|'(?=\w)){0,200})'(?=$|[\s.,;:!?])/gs;
const url = /https?:\/\/[^\s<>"'`”]+/g;
const nextTask =
  /(?:[.!?;]+(?:\s+|$)|\n+|,?\s+(?:and(?: then| also)?|then)\s+(?=(?:please\s+)?(?:search|look|find|remember|save|store|recall|list|crawl|visit|open|read|plan|tell|write|export|what|which|summari[sz]e|answer|give|transcribe|describe|explain|quote)\b))/i;

export function urlsIn(text: string): string[] {
  return [...new Set([...text.matchAll(url)].map(([found]) => found.replace(/[.,;:!?)\]}]+$/, '')))];
}

/** The texts in quotation marks, without the marks. */
export const quotesIn = (text: string): string[] =>
  [...text.matchAll(quoted)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '');

/** The most characters of a question that are searched for tasks, not counting quoted texts and URLs. */
const maxTaskCharacters = 20_000;

/** The parts of a question that each ask for one task. Quoted texts and URLs are never cut. */
export function clausesOf(question: string): string[] {
  const kept: string[] = [];
  const keep = (text: string) => `\uE000${kept.push(text) - 1}\uE001`;
  const masked = question.replace(quoted, keep).replace(url, (found) => {
    const [whole = found] = urlsIn(found);
    return keep(whole) + found.slice(whole.length);
  });
  const restore = (text: string): string =>
    text.replace(/\uE000(\d+)\uE001/g, (_mask, index: string) => kept[Number(index)] ?? '');
  return masked
    .slice(0, maxTaskCharacters)
    .split(nextTask)
    .map((clause) => restore(clause).trim())
    .filter((clause) => clause !== '');
}

/** Removes closing punctuation and quotation marks from a name or value that stands in a sentence. */
export function bare(text: string): string {
  const trimmed = text
    .trim()
    .replace(/[.,;:!?]+$/, '')
    .trim();
  const marks = /^(?:"(.*)"|“(.*)”|`(.*)`|'(.*)')$/s.exec(trimmed);
  return marks?.slice(1).find((group) => group !== undefined) ?? trimmed;
}
