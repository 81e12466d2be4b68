import { type Material, makePage, paragraph, slug } from '../../corpus/material.ts';
import { fillerParagraph, fillerSentence } from '../../corpus/prose.ts';
import { type Random, seeded } from '../../random.ts';
import { figure } from '../../world/facts.ts';
import { nameMaker } from '../../world/names.ts';
import { type Field, orNull, type Shape, text, whole } from './shapes.ts';
import type { AskedRecord } from './world-records.ts';

interface Made extends AskedRecord {
  materials: Material[];
}

interface Told {
  value: string;
  sentence: string;
}

/** A page of these sentences, which states their values for the name. */
function pageOf(
  random: Random,
  title: string,
  told: readonly Told[],
  more: { path?: string; about?: string } = {},
) {
  const { path = `/wiki/${slug(title)}`, about = title } = more;
  const body = told.map(({ sentence }) => paragraph(`${sentence} ${fillerParagraph(random, 2)}`));
  return makePage({
    path,
    title,
    body: [paragraph(fillerParagraph(random)), ...body].join('\n'),
    states: told.map(({ value }) => ({ about, value })),
  });
}

const employs = (name: string, value: string): Told => ({
  value,
  sentence: `${name} employs ${value} people.`,
});
const owns = (name: string, value: string): Told => ({ value, sentence: `${name} owns ${value} ships.` });
const founded = (name: string, value: string): Told => ({
  value,
  sentence: `${name} was founded by ${value}.`,
});

/** Reads fields off a page. */
const fieldOn =
  (home: string) =>
  ({ sentence }: Told, value: Field['value'], schema: Field['schema']): Field => ({
    schema,
    value,
    homes: [home],
    sentence,
  });

const numberOf = (value: string): number => Number(value.replaceAll(',', ''));

/** Companies of which no page says everything, and others of nearly the same name of which one does. */
export function nearNames(): Made[] {
  const random = seeded('extract near names');
  const newName = nameMaker(random, 'mouth');
  return Array.from({ length: 4 }, (_, i) => {
    const first = newName();
    const name = `${first} Works`;
    const count = figure(random.whole(1_100, 4_900));
    const person = `${newName()} ${newName()}`;
    const home = `/wiki/${slug(name)}`;
    const told = [employs(name, count), founded(name, person)];
    const near = ['Society', 'Brothers'].map((kind) => {
      const other = `${first} ${kind}`;
      const facts = [
        employs(other, figure(random.whole(5_100, 9_900))),
        owns(other, String(random.whole(11, 90))),
      ];
      return pageOf(random, other, facts);
    });
    const of = fieldOn(home);
    // Half of the schemas name the company, half leave that to the question; one has no field for its name.
    const it = i % 2 === 1 ? name : 'the company';
    const shape: Shape = {
      ...(i !== 3 && { name: { schema: text('Name of the company'), value: name, homes: [home] } }),
      employees: of(told[0]!, numberOf(count), orNull(whole(`Number of people that ${it} employs`))),
      founder: of(told[1]!, person, orNull(text(`By whom ${it} was founded`))),
      ships: { schema: orNull(whole(`Number of ships that ${it} owns`)), value: undefined, homes: [] },
    };
    return { id: `near-${i + 1}`, about: name, shape, materials: [...near, pageOf(random, name, told)] };
  });
}

const colours = ['blue', 'green', 'red', 'white'];
const day = /^\d{4}-\d{2}-\d{2}$/;

/** Flags, dates, decimals and words of a list. */
export function mixedTypes(): Made[] {
  const random = seeded('extract mixed types');
  const newName = nameMaker(random, 'stow');
  return Array.from({ length: 4 }, (_, i) => {
    const name = `${newName()} Fair`;
    const said = sayOfFair(random, name);
    const materials = [pageOf(random, name, Object.values(said))];
    return { id: `mixed-${i + 1}`, about: `the ${name}`, shape: shapeOfFair(name, said), materials };
  });
}

type Said = Record<'day' | 'fee' | 'gate' | 'flag' | 'stalls', Told>;

function sayOfFair(random: Random, name: string): Said {
  const gate = random.pick(['open', 'closed']);
  const first = `20${random.whole(20, 28)}-0${random.whole(1, 9)}-${random.whole(10, 28)}`;
  const fee = `${random.whole(1, 9)}.${random.whole(1, 9)}5`;
  const colour = random.pick(colours);
  const stalls = figure(random.whole(1_010, 2_900));
  return {
    day: { value: first, sentence: `The ${name} was first held on ${first}.` },
    fee: { value: fee, sentence: `A ticket for the ${name} is ${fee} crowns.` },
    gate: { value: gate, sentence: `The ${name} is ${gate} to strangers.` },
    flag: { value: colour, sentence: `The flag of the ${name} is ${colour}.` },
    stalls: { value: stalls, sentence: `The ${name} has ${stalls} stalls.` },
  };
}

function shapeOfFair(name: string, said: Said): Shape {
  const home = `/wiki/${slug(name)}`;
  const of = fieldOn(home);
  const { fee, gate, flag, stalls } = said;
  const date = { type: 'string', pattern: day.source, description: 'Day on which it was first held' };
  return {
    name: { schema: text('Name of the fair'), value: name, homes: [home] },
    first_day: of(said.day, said.day.value, date),
    ticket: of(fee, Number(fee.value), { type: 'number', description: 'Fee for a ticket, in crowns' }),
    isOpen: of(gate, gate.value === 'open', { type: 'boolean', description: 'Whether strangers may come' }),
    flag: of(flag, flag.value, { type: 'string', enum: colours, description: 'Colour of its flag' }),
    stalls: of(stalls, numberOf(stalls.value), {
      description: 'Number of stalls',
      anyOf: [{ type: 'integer' }, { type: 'null' }],
    }),
    tents: { schema: orNull(whole('Number of tents')), value: undefined, homes: [] },
  };
}

/** A page of two days each: the newer one counts. */
export function conflict(): Made[] {
  const random = seeded('extract conflict');
  const name = `${nameMaker(random, 'stead')()} Works`;
  const [older, newer] = [figure(random.whole(5_100, 9_900)), figure(random.whole(1_100, 4_900))];
  const page = (paper: string, day: string, count: string) =>
    pageOf(
      random,
      `${paper}: ${name}`,
      [{ value: day, sentence: `Published ${day}. ${fillerSentence(random)}` }, employs(name, count)],
      { path: `/news/${slug(`${paper} ${name}`)}`, about: name },
    );
  const materials = [
    page('Evening Courier', '2029-04-12', older),
    page('Harbour Gazette', '2032-06-21', newer),
  ];
  const shape: Shape = {
    name: { schema: text('Name of the company'), value: name, homes: materials.map(({ path }) => path) },
    employees: {
      schema: orNull(whole('Number of people that it employs, by the newest source')),
      value: numberOf(newer),
      homes: [materials[1]!.path],
      sentence: employs(name, newer).sentence,
    },
  };
  return [{ id: 'conflict-1', about: name, shape, materials }];
}
