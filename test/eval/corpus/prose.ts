import type { Random } from '../random.ts';

const openings = [
  'In most seasons',
  'After the rains',
  'By an old custom',
  'Towards the evening',
  'As a rule',
];
const actors = ['the neighbours', 'the clerks', 'two of the teachers', 'the older readers', 'the gardeners'];
const actions = ['compare notes on', 'walk past', 'argue about', 'paint', 'sweep', 'look after', 'sing of'];
const things = [
  'the stairs',
  'the low walls',
  'the orchards',
  'the ledgers',
  'the stone benches',
  'the kites',
];
const manners = ['without haste', 'in small groups', 'with some pride', 'out of habit', 'for an hour or two'];
const endings = ['near the bridge', 'behind the hall', 'under the limes', 'at the gate', 'by the mill pond'];

/** A sentence that states nothing anybody asks for. */
export const fillerSentence = (random: Random): string =>
  [openings, actors, actions, things, manners, endings].map((list) => random.pick(list)).join(' ') + '.';

export const fillerParagraph = (random: Random, sentences = random.whole(3, 6)): string =>
  Array.from({ length: sentences }, () => fillerSentence(random)).join(' ');

const remarks = [
  (name: string) => `Travellers often write kindly about ${name}.`,
  (name: string) => `A small booklet on ${name} is sold at the station.`,
  (name: string) => `Nobody remembers when ${name} was first mentioned in a letter.`,
  (name: string) => `The archive keeps a drawer of postcards that show ${name}.`,
];

/** A sentence that names the subject and answers no question about it. */
export const remarkOn = (random: Random, name: string): string => random.pick(remarks)(name);
