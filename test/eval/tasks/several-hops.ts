import { figure } from '../world/facts.ts';
import type { Company, Gathering, Person, Product, World } from '../world/world.ts';
import { contains, type Kit, type Task } from './task.ts';

/** A question whose answer stands on a page that only another page names. */
type Hops = Pick<Task, 'question' | 'passages'> & { value: string };

export const seatHops = ({ name, seat }: Company): Hops => ({
  question: `What is the population of the town where the headquarters of ${name} are?`,
  passages: [
    `The headquarters of ${name} are in ${seat.name}.`,
    `${seat.name} has a population of ${figure(seat.population)}.`,
  ],
  value: figure(seat.population),
});

export const riverHops = ({ name, birthplace }: Person): Hops => ({
  question: `On which river lies the town where ${name} was born?`,
  passages: [
    `${name} was born in ${birthplace.name}.`,
    `${birthplace.name} lies on the river ${birthplace.river}.`,
  ],
  value: birthplace.river,
});

export const makerHops = ({ name, kind, maker }: Product): Hops => ({
  question: `Where was the person born by whom the company was founded by which the ${name} ${kind} is manufactured?`,
  passages: [
    `The ${name} ${kind} is manufactured by ${maker.name}.`,
    `${maker.name} was founded by ${maker.founder.name}.`,
    `${maker.founder.name} was born in ${maker.founder.birthplace.name}.`,
  ],
  value: maker.founder.birthplace.name,
});

const openerHops = ({ name, opener }: Gathering): Hops => ({
  question: `As what did the person first work by whom the ${name} was opened?`,
  passages: [
    `The ${name} was opened by ${opener.name}.`,
    `${opener.name} first worked as a ${opener.craft}.`,
  ],
  value: opener.craft,
});

export function severalHops({ companies, products, gatherings, people }: World): Kit {
  const tasks = (sort: string, hops: readonly Hops[]) =>
    hops.map(
      ({ value, ...hop }, i): Task => ({
        ...{ id: `several-hops-${sort}-${i + 1}`, kind: 'several-hops' },
        ...hop,
        isRight: contains(value),
      }),
    );
  return {
    tasks: [
      ...tasks('seat', companies.slice(8, 11).map(seatHops)),
      ...tasks('river', people.slice(14, 16).map(riverHops)),
      ...tasks('maker', products.slice(12, 14).map(makerHops)),
      ...tasks('opener', gatherings.slice(0, 2).map(openerHops)),
    ],
  };
}
