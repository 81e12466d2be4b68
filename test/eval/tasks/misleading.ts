import { type Material, makePage, paragraph, slug } from '../corpus/material.ts';
import { fillerParagraph, fillerSentence } from '../corpus/prose.ts';
import { type Random, seeded } from '../random.ts';
import { figure } from '../world/facts.ts';
import { nameMaker } from '../world/names.ts';
import { answered, type Kit, type Task } from './task.ts';
import { ask, languages } from './wordings.ts';

/** A subject of the task's own, with the figure that is right and one that is not. */
interface Scene {
  random: Random;
  name: string;
  right: string;
  wrong: string;
}

interface Page {
  path?: string;
  title?: string;
  texts: readonly string[];
  /** The page has the right answer. */
  isHome?: boolean;
  /** The page states the wrong figure for an earlier year. */
  hasOlder?: boolean;
}

type Sort = (scene: Scene) => {
  pages: Page[];
  relation: 'employees' | 'weight';
  kind?: string;
  passage: string;
};

const dayIn = (random: Random, year: number) =>
  `${year}-${String(random.whole(1, 12)).padStart(2, '0')}-${String(random.whole(10, 28))}`;

/** What leads a reader astray: each is a page or more that has a wrong figure for the name that is asked for, or nearly. */
const distractors: Readonly<Record<string, Sort>> = {
  negation: ({ name, right, wrong }) => {
    const passage = `${name} employs ${right} people.`;
    const texts = [`${name} does not employ ${wrong} people, whatever a rumour says.`, passage];
    return { relation: 'employees', passage, pages: [{ texts, isHome: true }] };
  },
  'older version': ({ name, right, wrong }) => {
    const passage = `${name} employs ${right} people, by a count of 2032.`;
    const texts = [
      `${name} employed ${wrong} people; the number of employees was ${wrong} in 2029.`,
      passage,
    ];
    return { relation: 'employees', passage, pages: [{ texts, isHome: true, hasOlder: true }] };
  },
  unit: ({ name, right, wrong }) => {
    const passage = `The ${name} weighs ${right} kilograms.`;
    const texts = [`Packed for export, the ${name} weighs ${wrong} pounds.`, passage];
    return { relation: 'weight', passage, pages: [{ title: name, texts, isHome: true }] };
  },
  'near name': ({ random, name, right, wrong }) => {
    const [first = ''] = name.split(' ');
    const passage = `${name} employs ${right} people.`;
    const near = ['Society', 'Brothers'].map((kind) => `${first} ${kind}`);
    return {
      relation: 'employees',
      passage,
      pages: [
        ...near.map((title) => ({
          title,
          texts: [`${title} employs ${wrong} people.`, fillerSentence(random)],
        })),
        { texts: [passage], isHome: true },
      ],
    };
  },
  copies: ({ random, name, right, wrong }) => {
    const passage = `${name} employs ${right} people.`;
    const old = [`Published ${dayIn(random, 2029)}.`, `${name} employs ${wrong} people.`];
    return {
      relation: 'employees',
      passage,
      pages: [
        ...[1, 2, 3].map((copy) => ({ path: `/mirror-${copy}/${slug(name)}`, texts: old })),
        { texts: [`Published ${dayIn(random, 2032)}.`, passage], isHome: true },
      ],
    };
  },
};

/** Pages of two days that contradict each other. */
const dated: Sort = ({ random, name, right, wrong }) => {
  const passage = `${name} employs ${right} people.`;
  const pageOf = (paper: string, year: number, count: string) => ({
    title: `${paper}: ${name}`,
    path: `/news/${slug(`${paper} ${name}`)}`,
    texts: [`Published ${dayIn(random, year)}.`, fillerParagraph(random), `${name} employs ${count} people.`],
  });
  return {
    relation: 'employees',
    passage,
    pages: [
      pageOf('Evening Courier', 2029, wrong),
      { ...pageOf('Harbour Gazette', 2032, right), isHome: true },
    ],
  };
};

interface Misleading extends Scene {
  sort: string;
  relation: 'employees' | 'weight';
  passage: string;
  materials: readonly Material[];
  homes: readonly string[];
}

function makeScenes(
  seed: string,
  lastSyllable: string,
  sorts: readonly (readonly [string, Sort])[],
): Misleading[] {
  const random = seeded(seed);
  const newName = nameMaker(random, lastSyllable);
  return sorts.map(([id, sort]) => {
    const isThing = id === 'unit';
    const scene: Scene = {
      random,
      name: `${newName()} ${isThing ? 'kiln' : 'Works'}`,
      right: figure(random.whole(1_100, 4_900)),
      wrong: figure(random.whole(5_100, 9_900)),
    };
    const { pages, relation, passage } = sort(scene);
    const materials = pages.map((page) => makeMaterial(scene, page));
    const homes = materials.filter((_, at) => pages[at]!.isHome).map(({ path }) => path);
    return { ...scene, sort: id, relation, passage, materials, homes };
  });
}

function makeTasks(kind: 'distractor' | 'dated', sorts: readonly (readonly [string, Sort])[]): Kit {
  const scenes = makeScenes(kind, kind === 'dated' ? 'wick' : 'dale', sorts);
  const tasks = scenes.map(({ sort, relation, name, passage, homes, right, wrong }, i): Task => {
    const language = languages[i % languages.length]!;
    return {
      id: `${kind}-${slug(sort)}-${i + 1}-${language}`,
      kind,
      question: ask({ relation, about: name }, language),
      language: language === 'en' ? undefined : language,
      passages: [passage],
      homes,
      value: right,
      isRight: answered(right, [wrong]),
    };
  });
  return {
    tasks,
    materials: scenes.flatMap(({ materials }) => materials),
    subjects: scenes.map(({ name }) => name),
  };
}

/** So many subjects with pages that lead astray, of each sort in turn. */
export const misleadingScenes = (seed: string, lastSyllable: string, count: number): Misleading[] => {
  const sorts = Object.entries(distractors);
  return makeScenes(
    seed,
    lastSyllable,
    Array.from({ length: count }, (_, i) => sorts[i % sorts.length]!),
  );
};

function makeMaterial({ random, name, right, wrong }: Scene, page: Page): Material {
  const { path, title = name, texts, isHome, hasOlder } = page;
  const body = [...texts, fillerParagraph(random)].map(paragraph).join('\n');
  // A page of a near name states its figure for that name alone.
  const about = title.endsWith(name) ? name : title;
  const states = [
    { about, value: isHome ? right : wrong, also: '2032' },
    ...(hasOlder ? [{ about, value: wrong, also: '2029' }] : []),
  ];
  return makePage({ path: path ?? `/wiki/${slug(title)}`, title, body, states });
}

export const misled = (): Kit =>
  makeTasks(
    'distractor',
    [0, 1, 2].flatMap(() => Object.entries(distractors)),
  );

export const datedPages = (): Kit =>
  makeTasks(
    'dated',
    Array.from({ length: 8 }, (_, i) => [`paper ${i}`, dated] as const),
  );
