/** Something that a material states. The corpus knows it when it writes the material. */
export interface Statement {
  about: string;
  value: string;
  /** Further figures that belong to it, such as the year. */
  also?: string;
}

/** Figures as they compare in all languages: `4,512`, `4.512` and `4 512` are one, and `0.5` is another. */
export const plainFigures = (text: string): string =>
  text.replaceAll(/(?<=\d)[.,'’\u00a0\u202f ](?=\d{3}(?!\d))/g, '');

const figures = (text: string): string[] => plainFigures(text).match(/\d+(?:[.,]\d+)?/g) ?? [];

/** Where the part stands in the text as whole words; -1 if nowhere. */
function placeOf(text: string, part: string): number {
  const escaped = plainFigures(part).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return plainFigures(text).search(new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'iu'));
}

/** Whether the statement is what the claim says: it names both sides, and has no figure that is not of the statement. */
export function says(claim: string, { about, value, also = '' }: Statement): boolean {
  if (placeOf(claim, about) < 0 || placeOf(claim, value) < 0) return false;
  const known = new Set(figures(`${about} ; ${value} ; ${also}`));
  return figures(claim).every((figure) => known.has(figure));
}

/** Whether the answer gives the value, and gives none of the wrong ones before it. */
export function answers(answer: string, value: string, wrong: readonly string[] = []): boolean {
  const text = answer.replaceAll(/\[[\d, ]+\]/g, ' ');
  const place = placeOf(text, value);
  const before = (one: string) => {
    const at = placeOf(text, one);
    return at >= 0 && at < place;
  };
  return place >= 0 && !wrong.some(before);
}

/** The commonest small words of the languages that are asked in. None is a word of another of them. */
const smallWords = {
  en: /\b(?:the|is|was|and|not|has)\b/gi,
  de: /\b(?:der|die|das|von|ist|und|nicht)\b/gi,
  fr: /\b(?:le|est|du|des|les|une|et)\b/gi,
  es: /\b(?:el|es|los|las|del|una|y)\b/gi,
} as const;

export type Language = keyof typeof smallWords;

/** The language that has most small words in the text. */
export function languageOf(text: string): Language {
  const count = (language: Language) => text.match(smallWords[language])?.length ?? 0;
  const languages = Object.keys(smallWords) as Language[];
  return languages.reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Looks statements up by the path or the filename of what states them. */
export function library(materials: readonly { path: string; states: readonly Statement[] }[]) {
  const byName = new Map(
    materials.flatMap(({ path, states }) => [
      [path, states],
      [path.split('/').at(-1)!, states],
    ]),
  );
  return {
    /** Whether the source, an address or a filename, states the claim. An unknown source states nothing. */
    supports: (source: string, claim: string): boolean =>
      (byName.get(URL.parse(source)?.pathname ?? source) ?? []).some((one) => says(claim, one)),
  };
}

export type Library = ReturnType<typeof library>;
