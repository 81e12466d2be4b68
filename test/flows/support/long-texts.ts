/** A long text of numbered chapters in which each paragraph is about something else. */
export function longText(bytes: number, findings: Readonly<Record<number, string>> = {}): string {
  const parts: string[] = [];
  let size = 0;
  for (let chapter = 1; size < bytes; chapter++) {
    const finding = findings[chapter];
    const part = `# Chapter ${chapter}\n\n${filler(chapter)}\n\n${finding === undefined ? '' : `${finding}\n\n`}${filler(chapter + 7)}\n\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

const words = 'rope sail mast hull keel deck bow stern anchor chain winch cleat buoy pier crane barge'.split(
  ' ',
);

const filler = (seed: number): string =>
  Array.from({ length: 90 }, (_, i) => words[(seed * 31 + i * i * 7 + i) % words.length]).join(' ');

/** The number of the chapter that ends a text of this size. */
export const lastChapter = (text: string): number => Number(/[\s\S]*# Chapter (\d+)/.exec(text)?.[1]);
