/** Words that say nothing about what is asked, with the classes of things that questions name. */
const silent = new Set(
  (
    'a an the of in on at by to for from with and or is are was were be been has have had do does did it its this that ' +
    'these those which who whom what where when how many much as than then there according document page list file ' +
    'recording attached town company person product place many river read written about please answer value values row ' +
    'said meeting text say says both table csv xlsx html md pdf docx pptx txt see sources also not no their they into out over under up down one two'
  ).split(' '),
);

const endings = /(?:ations?|ings?|ers?|ed|es|s|e)$/;

const stem = (word: string): string => (/\d/.test(word) ? word : word.replace(endings, ''));

/** The words of a text as they are compared: lower case, without their endings; figures without their separators. */
export function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+|\d[\d,.]*/gu) ?? [];
  return words
    .filter((word) => !silent.has(word))
    .map((word) => stem(/\d/.test(word) ? plainFigure(word) : word))
    .filter((word) => word.length > 1 || /\d/.test(word));
}

const plainFigure = (figure: string): string => figure.replaceAll(',', '').replace(/\.+$/, '');

export const figuresOf = (text: string): string[] => (text.match(/\d[\d,.]*/g) ?? []).map(plainFigure);

/** Words that begin sentences and are no names. */
const openers = new Set(
  (
    'The A An What Where Who By On In As How When Which At For Write Save Read Product Price Weight Sheet Sources ' +
    'Source Speaker Part Appendix Chapter It Not Answer See Nobody We'
  ).split(' '),
);

/** Runs of words with capitals, without the words that only begin a sentence. */
export function namesOf(text: string): string[] {
  const runs = text.match(/\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu) ?? [];
  const names = runs.map((run) => {
    const words = run.split(' ');
    while (words.length > 0 && openers.has(words[0]!)) words.shift();
    return words.join(' ');
  });
  return [...new Set(names.filter((name) => name !== ''))];
}

export const withoutAddresses = (text: string): string => text.replaceAll(/https?:\/\/\S+/g, ' ');
