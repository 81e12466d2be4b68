import { type Broken, forms, instead, page, textAnswer, tooLarge } from './make.ts';

export const bodies: readonly Broken[] = [
  {
    what: 'takes no more than a megabyte of JSON',
    check: 'JSON of 4.4 MB',
    seen: /413 <html>/,
    breakage: () => tooLarge(1_000_000),
  },
  {
    what: 'takes no more than a megabyte of a form',
    check: 'a form of 4.4 MB',
    seen: /413 <html>/,
    breakage: () => tooLarge(1_000_000),
  },
  {
    what: 'refuses a large form without a word of the way for it',
    check: 'a form of 20 MB',
    seen: /413 <html>/,
    breakage: () => tooLarge(6_000_000),
  },
  {
    what: 'fails at a large form',
    check: 'a form of 20 MB',
    seen: /502 <html>/,
    breakage: () => instead((sent) => forms(sent) && sent.body.length > 6_000_000, textAnswer(502, page)),
  },
];
