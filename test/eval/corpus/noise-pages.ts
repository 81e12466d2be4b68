import { type Random, seeded } from '../random.ts';
import { figure } from '../world/facts.ts';
import { nameMaker } from '../world/names.ts';
import { type Material, makePage, paragraph, slug } from './material.ts';
import { fillerSentence } from './prose.ts';

/** How many pages a search has to choose from beside those that answer. */
export const noisePages = 10_000;

const kinds = [
  'Works',
  'Foundry',
  'Mills',
  'Shipyard',
  'Traders',
  'Fair',
  'Survey',
  'Bridge',
  'Society',
  'Press',
];
/** Of the noise: pages of the first word of a name that is asked for, and the most pages about it that answer nothing. */
const nearEach = 3;
const mostAbout = 4;

/** What pages of readers, shops and clubs say around a name, in the words of those who ask. */
const talk = [
  (name: string) =>
    `Readers ask how big the workforce of ${name} is, and who set up ${name} in the first place.`,
  (name: string) =>
    `The turnover that ${name} might report is a matter of much talk, and so is its head office.`,
  (name: string) => `How heavy is it, how much must one pay: letters on ${name} ask for little else.`,
  (name: string) =>
    `Which waterway runs past ${name}, and how many residents live there, is left to a later issue.`,
  (name: string) => `Die Belegschaft, der Umsatz, der Sitz von ${name}: darüber wird viel gesprochen.`,
  (name: string) => `On parle volontiers de ${name}, de son effectif, de son siège et de son poids.`,
  (name: string) => `Se habla mucho de ${name}, de su sede y de cuánto pesa o cuesta.`,
  (name: string) =>
    `The attendance that ${name} reached was never told to this paper, nor who inaugurated it.`,
];

/** Pages that are no answer: of near names, of the names that are asked for, and of anything else. */
export function noise(subjects: readonly string[]): Material[] {
  const random = seeded('noise');
  const about = subjects.flatMap((name, i) => aboutPages(random, name, 1 + (i % mostAbout)));
  const near = subjects.flatMap((name) => nearPages(random, name, subjects));
  const newName = nameMaker(random, 'olm');
  const names = Array.from({ length: 400 }, newName);
  const left = Math.max(0, noisePages - about.length - near.length);
  const others = Array.from({ length: left }, (_, i) =>
    statePage(random, `${random.pick(names)} ${random.pick(kinds)}`, `other-${i + 1}`),
  );
  return [...about, ...near, ...others];
}

/** Pages that are no answer, of these names alone. */
export function noiseOn(seed: string, subjects: readonly string[]): Material[] {
  const random = seeded(seed);
  return subjects.flatMap((name) => [...aboutPages(random, name, 1), ...nearPages(random, name, subjects)]);
}

function aboutPages(random: Random, name: string, count: number): Material[] {
  return random.sample(talk, count).map((say, i) => {
    const title = `${name}: ${['letters', 'a visit', 'the talk', 'a picture', 'notes'][i]}`;
    const texts = [say(name), fillerSentence(random), random.pick(talk)(name), fillerSentence(random)];
    return page(`/talk/${slug(title)}`, title, texts);
  });
}

/** `Tarvel Society` beside `Tarvel Works`. */
function nearPages(random: Random, name: string, subjects: readonly string[]): Material[] {
  const [first = ''] = name.split(' ');
  const titles = kinds
    .map((kind) => `${first} ${kind}`)
    .filter((one) => !subjects.includes(one) && one !== name);
  return random.sample(titles, nearEach).map((title) => statePage(random, title, `near-${slug(title)}`));
}

function statePage(random: Random, title: string, path: string): Material {
  const number = () => figure(random.whole(100, 90_000));
  const texts = [
    `${title} employs ${number()} people.`,
    fillerSentence(random),
    `The revenue of ${title} was ${number()} crowns in ${random.whole(2029, 2032)}.`,
    `${title} weighs ${number()} kilograms, and a visit costs ${number()} crowns.`,
    fillerSentence(random),
  ];
  return page(`/noise/${path}`, title, random.sample(texts, 4));
}

const page = (path: string, title: string, texts: readonly string[]): Material =>
  makePage({ path, title, body: texts.map(paragraph).join('\n'), states: [] });
