import { figure } from '../world/facts.ts';
import type { World } from '../world/world.ts';
import { contains, type Kit, type Task } from './task.ts';

/** Questions whose answer stands on a page that only another page names. */
export function severalHops({ companies, products, gatherings, people }: World): Kit {
  const kind = 'several-hops';
  const twoHops = companies.slice(8, 11).map(
    ({ name, seat }, i): Task => ({
      id: `several-hops-seat-${i + 1}`,
      kind,
      question: `What is the population of the town where the headquarters of ${name} are?`,
      passages: [
        `The headquarters of ${name} are in ${seat.name}.`,
        `${seat.name} has a population of ${figure(seat.population)}.`,
      ],
      isRight: contains(figure(seat.population)),
    }),
  );
  const rivers = people.slice(14, 16).map(
    ({ name, birthplace }, i): Task => ({
      id: `several-hops-river-${i + 1}`,
      kind,
      question: `On which river lies the town where ${name} was born?`,
      passages: [
        `${name} was born in ${birthplace.name}.`,
        `${birthplace.name} lies on the river ${birthplace.river}.`,
      ],
      isRight: contains(birthplace.river),
    }),
  );
  const makers = products.slice(12, 14).map(
    ({ name, kind: sort, maker }, i): Task => ({
      id: `several-hops-maker-${i + 1}`,
      kind,
      question: `Where was the person born by whom the company was founded by which the ${name} ${sort} is manufactured?`,
      passages: [
        `The ${name} ${sort} is manufactured by ${maker.name}.`,
        `${maker.name} was founded by ${maker.founder.name}.`,
        `${maker.founder.name} was born in ${maker.founder.birthplace.name}.`,
      ],
      isRight: contains(maker.founder.birthplace.name),
    }),
  );
  const openers = gatherings.slice(0, 2).map(
    ({ name, opener }, i): Task => ({
      id: `several-hops-opener-${i + 1}`,
      kind,
      question: `As what did the person first work by whom the ${name} was opened?`,
      passages: [
        `The ${name} was opened by ${opener.name}.`,
        `${opener.name} first worked as a ${opener.craft}.`,
      ],
      isRight: contains(opener.craft),
    }),
  );
  return { tasks: [...twoHops, ...rivers, ...makers, ...openers] };
}
