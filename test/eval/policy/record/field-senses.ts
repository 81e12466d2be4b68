import { type Sense, senses } from '../lexicon.ts';

/** What only fields of a record ask for, in English. */
const ofRecords: readonly Omit<Sense, 'noun'>[] = [
  {
    name: 'ships',
    asks: /\bships\b/i,
    states: /\bships\b/i,
    value: 'figure',
    unit: /ships/i,
    wordings: ['owns ships', 'ships'],
  },
  {
    name: 'warranty',
    asks: /\bwarranty\b/i,
    states: /\bwarranty\b/i,
    value: 'figure',
    unit: /months/i,
    wordings: ['warranty months'],
  },
  { name: 'voltage', asks: /\bvoltage\b/i, states: /\bvolts\b/i, value: 'figure', wordings: ['volts'] },
  {
    name: 'tents',
    asks: /\btents\b/i,
    states: /\btents\b/i,
    value: 'figure',
    unit: /tents/i,
    wordings: ['tents'],
  },
  {
    name: 'stalls',
    asks: /\bstalls\b/i,
    states: /\bstalls\b/i,
    value: 'figure',
    unit: /stalls/i,
    wordings: ['stalls'],
  },
  {
    name: 'fee',
    asks: /\bfee\b/i,
    states: /\bticket\b/i,
    value: 'figure',
    unit: /crowns/i,
    wordings: ['ticket crowns'],
  },
  {
    name: 'first day',
    asks: /\bfirst held\b/i,
    states: /\bfirst held on\b/i,
    value: 'word',
    word: /\bon (\d{4}-\d\d-\d\d)/,
    wordings: ['was first held on'],
  },
  {
    name: 'open',
    asks: /\bstrangers\b/i,
    states: /\bto strangers\b/i,
    value: 'word',
    word: /\bis (open|closed) to/,
    wordings: ['open to strangers'],
  },
  {
    name: 'flag',
    asks: /\bcolour\b/i,
    states: /\bflag of\b/i,
    value: 'word',
    word: /\bis (\p{L}+)\.?$/u,
    wordings: ['flag'],
  },
];

const noNoun = { en: '', de: '', fr: '', es: '' };

/** What the policy understands of the descriptions of fields. Where two senses have the same words, the first counts. */
export const fieldSenses: readonly Sense[] = [
  ...ofRecords.map((one) => ({ ...one, noun: noNoun })),
  ...senses,
];
