import type { Random } from '../random.ts';

const openings = [
  ...['Tar', 'Bel', 'Or', 'Mir', 'Hal', 'Ves', 'Dun', 'Kel', 'Lor', 'Sel', 'Fen', 'Gor', 'Ash', 'Bran'],
  ...['Cor', 'Dal', 'Elm', 'Far', 'Gil', 'Hes', 'Jor', 'Nev', 'Pel', 'Quil', 'Ros', 'Sten', 'Ul', 'Wen'],
];
const middles = ['a', 'e', 'i', 'o', 'u', 'an', 'en', 'or', 'il', 'um'];
const endings = ['vel', 'mere', 'tack', 'dow', 'lis', 'rith', 'gan', 'shaw', 'bury', 'nox', 'pell', 'zin'];

/** Gives names that nothing else has, not even as a part. Makers with different last syllables never give the same. */
export function nameMaker(random: Random, lastSyllable = ''): () => string {
  const given = new Set<string>();
  return () => {
    for (;;) {
      const name = random.pick(openings) + random.pick(middles) + random.pick(endings) + lastSyllable;
      if ([...given].some((other) => other.includes(name) || name.includes(other))) continue;
      given.add(name);
      return name;
    }
  };
}
