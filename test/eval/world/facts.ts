import type { Company, Gathering, Person, Product, Town, World } from './world.ts';

export interface Fact {
  /** As it stands in the corpus. */
  sentence: string;
  /** Asks for the fact alone. */
  question: string;
  /** What a right answer contains. */
  value: string;
}

export const figure = (number: number): string => number.toLocaleString('en');

export const companyFacts = ({ name, founder, seat, employees, revenues }: Company): Fact[] => [
  {
    sentence: `${name} was founded by ${founder.name}.`,
    question: `By whom was ${name} founded?`,
    value: founder.name,
  },
  {
    sentence: `The headquarters of ${name} are in ${seat.name}.`,
    question: `Where are the headquarters of ${name}?`,
    value: seat.name,
  },
  {
    sentence: `${name} employs ${figure(employees)} people.`,
    question: `How many people does ${name} employ?`,
    value: figure(employees),
  },
  ...revenues.map(({ year, crowns }) => ({
    sentence: `The revenue of ${name} was ${figure(crowns)} crowns in ${year}.`,
    question: `What was the revenue of ${name} in ${year}?`,
    value: figure(crowns),
  })),
];

const townFacts = ({ name, river, population, harbourMetres }: Town): Fact[] => [
  {
    sentence: `${name} has a population of ${figure(population)}.`,
    question: `What is the population of ${name}?`,
    value: figure(population),
  },
  {
    sentence: `${name} lies on the river ${river}.`,
    question: `On which river does ${name} lie?`,
    value: river,
  },
  {
    sentence: `The harbour of ${name} is ${harbourMetres} metres deep.`,
    question: `How deep is the harbour of ${name}?`,
    value: `${harbourMetres} metres`,
  },
];

const personFacts = ({ name, birthplace, craft }: Person): Fact[] => [
  {
    sentence: `${name} was born in ${birthplace.name}.`,
    question: `Where was ${name} born?`,
    value: birthplace.name,
  },
  {
    sentence: `${name} first worked as a ${craft}.`,
    question: `As what did ${name} first work?`,
    value: craft,
  },
];

const productFacts = ({ name, kind, maker, kilograms, crowns }: Product): Fact[] => [
  {
    sentence: `The ${name} ${kind} is manufactured by ${maker.name}.`,
    question: `By whom is the ${name} ${kind} manufactured?`,
    value: maker.name,
  },
  {
    sentence: `The ${name} ${kind} weighs ${kilograms} kilograms.`,
    question: `How much does the ${name} ${kind} weigh?`,
    value: `${kilograms} kilograms`,
  },
  {
    sentence: `The ${name} ${kind} costs ${figure(crowns)} crowns.`,
    question: `What does the ${name} ${kind} cost?`,
    value: `${figure(crowns)} crowns`,
  },
];

const gatheringFacts = ({ name, place, opener, visitors }: Gathering): Fact[] => [
  {
    sentence: `The ${name} is held in ${place.name}.`,
    question: `Where is the ${name} held?`,
    value: place.name,
  },
  {
    sentence: `The ${name} was opened by ${opener.name}.`,
    question: `By whom was the ${name} opened?`,
    value: opener.name,
  },
  {
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
