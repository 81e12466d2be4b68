import type { Material } from '../corpus/material.ts';
import { noiseOn } from '../corpus/noise-pages.ts';
import { type Random, seeded } from '../random.ts';
import { answers } from '../score/statements.ts';
import { type Relation, subjectsOf } from '../world/facts.ts';
import type { World } from '../world/world.ts';
import { misleadingScenes } from './misleading.ts';
import { makerHops, riverHops, seatHops } from './several-hops.ts';
import type { Kit, Outcome, Task } from './task.ts';
import { ask } from './wordings.ts';

type Part = NonNullable<Task['parts']>[number] & Pick<Task, 'passages'> & { materials?: readonly Material[] };

/** How many questions of each sort a task has: facts in other words, facts behind others, and facts with pages that lead astray. */
const sizes = [
  { facts: 6, hops: 0, misleading: 0 },
  { facts: 5, hops: 2, misleading: 2 },
  { facts: 5, hops: 4, misleading: 3 },
];
const ofEachSize = 4;

/** Questions of 6, 9 and 12 questions, of which each is found on pages of its own. */
export function breadth(world: World): Kit {
  const random = seeded('breadth');
  const numbers = sizes.flatMap(() => Array.from({ length: ofEachSize }, (_, i) => i));
  const astray = misleadingScenes(
    'breadth',
    'moor',
    sizes.reduce((sum, one) => sum + one.misleading, 0) * ofEachSize,
  );
  const made = numbers.map((number, at) => {
    const { facts, hops, misleading } = sizes[Math.floor(at / ofEachSize)]!;
    const parts = random.sample(
      [
        ...factParts(random, world, facts),
        ...hopParts(random, world, hops),
        ...astray.splice(0, misleading).map(astrayPart),
      ],
      facts + hops + misleading,
    );
    return { id: `breadth-${parts.length}-${number + 1}`, parts };
  });
  const named = made.flatMap(({ parts }) => parts).flatMap(({ materials = [] }) => materials);
  return {
    tasks: made.map(({ id, parts }) => taskOf(id, parts)),
    materials: [
      ...named,
      ...noiseOn(
        'breadth',
        named.map(({ title }) => title),
      ),
    ],
  };
}

function taskOf(id: string, parts: readonly Part[]): Task {
  const asked = parts.map(({ question }, i) => `(${i + 1}) ${question}`).join(' ');
  return {
    id,
    kind: 'breadth',
    question: `Answer each of these questions: ${asked}`,
    passages: parts.flatMap(({ passages }) => passages),
    parts: parts.map(({ question, value, wrong }) => ({ question, value, wrong })),
    isRight: (outcome) => !/<think>/.test(outcome.answer) && partsRight(parts, outcome) === parts.length,
  };
}

const partsRight = (parts: NonNullable<Task['parts']>, { answer }: Pick<Outcome, 'answer'>): number =>
  parts.filter(({ value, wrong }) => answers(answer, value, wrong === undefined ? [] : [wrong])).length;

/** Facts of other relations each, so that no value is that of another question. */
function factParts(random: Random, world: World, count: number): Part[] {
  const asked = new Set<Relation>();
  const parts: Part[] = [];
  for (const { facts } of random.sample(subjectsOf(world), Number.POSITIVE_INFINITY)) {
    const fresh = facts.filter(({ relation }) => !asked.has(relation));
    if (fresh.length === 0 || parts.length === count) continue;
    const fact = random.pick(fresh);
    asked.add(fact.relation);
    const value = fact.value.replace(/ (?:metres|kilograms|crowns)$/, '');
    parts.push({ question: ask(fact, 'en'), value, passages: [fact.sentence] });
  }
  return parts;
}

function hopParts(random: Random, { companies, people, products }: World, count: number): Part[] {
  const seats = random.sample(companies, count).map(seatHops);
  const rivers = random.sample(people, count).map(riverHops);
  const makers = random.sample(products, count).map(makerHops);
  return Array.from({ length: count }, (_, i) => [seats, rivers, makers][i % 3]![i]!);
}

const astrayPart = ({
  relation,
  name,
  right,
  wrong,
  passage,
  materials,
}: ReturnType<typeof misleadingScenes>[number]): Part => ({
  ...{ question: ask({ relation, about: name }, 'en'), value: right, wrong },
  ...{ passages: [passage], materials },
});
