import type { Statement } from '../score/statements.ts';
import type { Company, Gathering, Person, Product, Town, World } from './world.ts';

/** What a fact is of: the same word for the same thing, whatever the wording. */
export type Relation =
  | 'founder'
  | 'seat'
  | 'employees'
  | 'revenue'
  | 'population'
  | 'river'
  | 'harbour'
  | 'birthplace'
  | 'craft'
  | 'maker'
  | 'weight'
  | 'price'
  | 'place'
  | 'opener'
  | 'visitors';

export interface Fact extends Statement {
  relation: Relation;
  /** As it stands in the corpus. */
  sentence: string;
  /** Asks for the fact alone. */
  question: string;
}

export const figure = (number: number): string => number.toLocaleString('en');

export const companyFacts = ({ name, founder, seat, employees, revenues }: Company): Fact[] => [
  {
    relation: 'founder',
    about: name,
    sentence: `${name} was founded by ${founder.name}.`,
    question: `By whom was ${name} founded?`,
    value: founder.name,
  },
  {
    relation: 'seat',
    about: name,
    sentence: `The headquarters of ${name} are in ${seat.name}.`,
    question: `Where are the headquarters of ${name}?`,
    value: seat.name,
  },
  {
    relation: 'employees',
    about: name,
    sentence: `${name} employs ${figure(employees)} people.`,
    question: `How many people does ${name} employ?`,
    value: figure(employees),
  },
  ...revenues.map(({ year, crowns }) => ({
    relation: 'revenue' as const,
    about: name,
    also: String(year),
    sentence: `The revenue of ${name} was ${figure(crowns)} crowns in ${year}.`,
    question: `What was the revenue of ${name} in ${year}?`,
    value: figure(crowns),
  })),
];

const townFacts = ({ name, river, population, harbourMetres }: Town): Fact[] => [
  {
    relation: 'population',
    about: name,
    sentence: `${name} has a population of ${figure(population)}.`,
    question: `What is the population of ${name}?`,
    value: figure(population),
  },
  {
    relation: 'river',
    about: name,
    sentence: `${name} lies on the river ${river}.`,
    question: `On which river does ${name} lie?`,
    value: river,
  },
  {
    relation: 'harbour',
    about: name,
    sentence: `The harbour of ${name} is ${harbourMetres} metres deep.`,
    question: `How deep is the harbour of ${name}?`,
    value: `${harbourMetres} metres`,
  },
];

const personFacts = ({ name, birthplace, craft }: Person): Fact[] => [
  {
    relation: 'birthplace',
    about: name,
    sentence: `${name} was born in ${birthplace.name}.`,
    question: `Where was ${name} born?`,
    value: birthplace.name,
  },
  {
    relation: 'craft',
    about: name,
    sentence: `${name} first worked as a ${craft}.`,
    question: `As what did ${name} first work?`,
    value: craft,
  },
];

const productFacts = ({ name, kind, maker, kilograms, crowns }: Product): Fact[] => [
  {
    relation: 'maker',
    about: `${name} ${kind}`,
    sentence: `The ${name} ${kind} is manufactured by ${maker.name}.`,
    question: `By whom is the ${name} ${kind} manufactured?`,
    value: maker.name,
  },
  {
    relation: 'weight',
    about: `${name} ${kind}`,
    sentence: `The ${name} ${kind} weighs ${kilograms} kilograms.`,
    question: `How much does the ${name} ${kind} weigh?`,
    value: `${kilograms} kilograms`,
  },
  {
    relation: 'price',
    about: `${name} ${kind}`,
    sentence: `The ${name} ${kind} costs ${figure(crowns)} crowns.`,
    question: `What does the ${name} ${kind} cost?`,
    value: `${figure(crowns)} crowns`,
  },
];

const gatheringFacts = ({ name, place, opener, visitors }: Gathering): Fact[] => [
  {
    relation: 'place',
    about: name,
    sentence: `The ${name} is held in ${place.name}.`,
    question: `Where is the ${name} held?`,
    value: place.name,
  },
  {
    relation: 'opener',
    about: name,
    sentence: `The ${name} was opened by ${opener.name}.`,
    question: `By whom was the ${name} opened?`,
    value: opener.name,
  },
  {
    relation: 'visitors',
    about: name,
    sentence: `The ${name} drew ${figure(visitors)} visitors.`,
    question: `How many visitors did the ${name} draw?`,
    value: figure(visitors),
  },
];

export interface Subject {
  title: string;
  facts: readonly Fact[];
}

/** Everything in the world that has a page. */
export const subjectsOf = (world: World): Subject[] => [
  ...world.companies.map((one) => ({ title: one.name, facts: companyFacts(one) })),
  ...world.towns.map((one) => ({ title: one.name, facts: townFacts(one) })),
  ...world.people.map((one) => ({ title: one.name, facts: personFacts(one) })),
  ...world.products.map((one) => ({ title: `${one.name} ${one.kind}`, facts: productFacts(one) })),
  ...world.gatherings.map((one) => ({ title: one.name, facts: gatheringFacts(one) })),
];
