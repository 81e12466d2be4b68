import { type Random, seeded } from '../random.ts';
import { nameMaker } from './names.ts';

export interface Town {
  name: string;
  river: string;
  population: number;
  harbourMetres: number;
}

export interface Person {
  name: string;
  birthplace: Town;
  craft: string;
}

export interface Company {
  name: string;
  founder: Person;
  seat: Town;
  employees: number;
  revenues: readonly { year: number; crowns: number }[];
}

export interface Product {
  name: string;
  kind: string;
  maker: Company;
  kilograms: number;
  crowns: number;
}

export interface Gathering {
  name: string;
  place: Town;
  opener: Person;
  visitors: number;
}

/** A world that exists nowhere else, so that no model knows it. */
export interface World {
  towns: readonly Town[];
  people: readonly Person[];
  companies: readonly Company[];
  products: readonly Product[];
  gatherings: readonly Gathering[];
}

const crafts = ['glazier', 'surveyor', 'bookbinder', 'clockmaker', 'cartographer', 'ropemaker', 'tanner'];
const companyKinds = ['Works', 'Foundry', 'Mills', 'Instruments', 'Shipyard', 'Traders'];
const productKinds = ['pump', 'lantern', 'loom', 'winch', 'barometer', 'kiln', 'press'];
const gatheringKinds = ['Fair', 'Regatta', 'Exhibition', 'Assembly'];
const years = [2029, 2030, 2031, 2032];

const sizes = { towns: 20, people: 24, companies: 24, products: 20, gatherings: 12 } as const;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

export function makeWorld(seed: string): World {
  const random = seeded(seed);
  const newName = nameMaker(random);
  const towns = times(sizes.towns, () => makeTown(random, newName));
  const people = times(sizes.people, () => ({
    name: `${newName()} ${newName()}`,
    birthplace: random.pick(towns),
    craft: random.pick(crafts),
  }));
  const companies = times(sizes.companies, (index) => makeCompany(random, newName(), towns, people[index]!));
  const products = times(sizes.products, (index) => ({
    name: newName(),
    kind: random.pick(productKinds),
    maker: companies[index]!,
    kilograms: random.whole(11, 940),
    crowns: random.whole(120, 9_800),
  }));
  const gatherings = times(sizes.gatherings, () => ({
    name: `${newName()} ${random.pick(gatheringKinds)}`,
    place: random.pick(towns),
    opener: random.pick(people),
    visitors: random.whole(1_200, 88_000),
  }));
  return { towns, people, companies, products, gatherings };
}

const makeTown = (random: Random, newName: () => string): Town => ({
  name: newName(),
  river: newName(),
  population: random.whole(2_100, 940_000),
  harbourMetres: random.whole(4, 38),
});

const makeCompany = (random: Random, name: string, towns: readonly Town[], founder: Person): Company => ({
  name: `${name} ${random.pick(companyKinds)}`,
  founder,
  seat: random.pick(towns),
  employees: random.whole(31, 7_900),
  revenues: years.map((year) => ({ year, crowns: random.whole(210_000, 96_000_000) })),
});
