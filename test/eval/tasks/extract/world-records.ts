import { subjectPath } from '../../corpus/subject-pages.ts';
import type { Schema } from '../../score/fits.ts';
import { type Relation, subjectsOf } from '../../world/facts.ts';
import type { Company, Gathering, Product, World } from '../../world/world.ts';
import { type Field, orNull, type Shape, text, whole } from './shapes.ts';

/** A record that a task asks for. */
export interface AskedRecord {
  id: string;
  about: string;
  shape: Shape;
}

/** Reads fields off the world's facts. */
const factReader = (world: World) => {
  const facts = new Map(subjectsOf(world).map((subject) => [subject.title, subject.facts]));
  return (title: string, relation: Relation, schema: Schema, also?: string): Field => {
    const fact = facts.get(title)?.find((one) => one.relation === relation && one.also === also);
    if (!fact) throw new Error(`no ${relation} of ${title}`);
    const isFigure = [schema.type].flat().some((type) => type === 'integer' || type === 'number');
    const value = isFigure ? Number(/[\d,]+/.exec(fact.value)![0].replaceAll(',', '')) : fact.value;
    return { schema, value, homes: [subjectPath(title)], sentence: fact.sentence };
  };
};

const named = (name: string, description: string): Field => ({
  schema: text(description),
  value: name,
  homes: [subjectPath(name)],
});

const gap = (schema: Schema): Field => ({ schema, value: undefined, homes: [] });

/** Fields on the pages of a company, of its town and of its founder. */
export function severalPages(world: World): AskedRecord[] {
  const read = factReader(world);
  const flat = ({ name, founder, seat }: Company): Shape => ({
    name: named(name, 'Name of the company'),
    founder: read(name, 'founder', text('By whom it was founded')),
    birthplace: read(
      founder.name,
      'birthplace',
      orNull(text('Where the person was born by whom the company was founded')),
    ),
    employees: read(name, 'employees', whole('Number of people that it employs')),
    revenue: read(name, 'revenue', whole('Revenue in 2031, in crowns'), '2031'),
    population: read(seat.name, 'population', orNull(whole('Population of the town of its headquarters'))),
  });
  const nested = ({ name, founder, seat }: Company): Shape => ({
    name: named(name, 'Name of the company'),
    seat: {
      description: 'The town of its headquarters',
      within: {
        name: read(name, 'seat', text('Its name')),
        river: read(seat.name, 'river', orNull(text('The river on which it lies'))),
        harbour: read(seat.name, 'harbour', orNull(whole('Depth of its harbour in metres'))),
      },
    },
    founder: {
      description: 'The person by whom the company was founded',
      within: {
        name: read(name, 'founder', text('Full name')),
        trade: read(founder.name, 'craft', orNull(text('As what the person first worked'))),
      },
    },
    revenues: {
      description: 'In crowns',
      within: {
        2032: read(name, 'revenue', whole('Revenue in 2032'), '2032'),
        2030: read(name, 'revenue', whole('Revenue in 2030'), '2030'),
      },
    },
  });
  return world.companies.slice(12, 20).map((company, i) => ({
    id: `pages-${i + 1}`,
    about: company.name,
    shape: i % 2 === 0 ? flat(company) : nested(company),
  }));
}

/** Products of which no page says everything; a field may be null. */
export function nullableGaps(world: World): AskedRecord[] {
  const read = factReader(world);
  const shape = ({ name, kind }: Product, isNamed: boolean): Shape => {
    const thing = `${name} ${kind}`;
    return {
      ...(isNamed && { product: named(thing, 'Name of the product') }),
      maker: read(thing, 'maker', text(`By whom the ${thing} is manufactured`)),
      kilograms: read(thing, 'weight', whole(`How much the ${thing} weighs, in kilograms`)),
      crowns: read(thing, 'price', whole(`What the ${thing} costs, in crowns`)),
      warranty: gap(orNull(whole(`Warranty on the ${thing}, in months`))),
      voltage: gap(orNull(whole(`Voltage of the ${thing}`))),
    };
  };
  return world.products.slice(0, 6).map((product, i) => ({
    id: `null-${i + 1}`,
    about: `the ${product.name} ${product.kind}`,
    // The other half has the name in its descriptions alone.
    shape: shape(product, i % 2 === 0),
  }));
}

/** Gatherings of which no page says everything; a field may be left out, or must be there all the same. */
export function otherGaps(world: World): AskedRecord[] {
  const read = factReader(world);
  const shape = ({ name }: Gathering, isForced: boolean): Shape => ({
    name: named(name, 'Name of the gathering'),
    town: read(name, 'place', text('Where it is held')),
    visitors: read(name, 'visitors', whole('Number of visitors')),
    opener: read(name, 'opener', text('By whom it was opened')),
    tents: isForced
      ? { ...gap(whole('Number of tents')), isForced: true }
      : { ...gap(whole('Number of tents')), isOptional: true },
    ships: { ...gap(whole('Number of ships that it owns')), isOptional: true },
  });
  return world.gatherings.slice(4, 8).map((gathering, i) => ({
    id: `${i < 2 ? 'optional' : 'forced'}-${i + 1}`,
    about: `the ${gathering.name}`,
    shape: shape(gathering, i >= 2),
  }));
}
