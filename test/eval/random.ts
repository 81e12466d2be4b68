/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** So many different ones, in a new order. */
  sample<T>(list: readonly T[], count: number): T[];
}

export function seeded(seed: string): Random {
  let state = hash(seed);
  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    whole,
    pick: (list) => list[whole(0, list.length - 1)]!,
    sample(list, count) {
      const left = [...list];
      return Array.from({ length: Math.min(count, left.length) }, () => {
        const [taken] = left.splice(whole(0, left.length - 1), 1);
        return taken!;
      });
    },
  };
}

/** From 0 up to, not including, 1: always the same for a text, and even over many texts. */
export const fractionOf = (text: string): number => mix(hash(text)) / 2 ** 32;

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value | 0;
}

/** The output function of Mulberry32, a public-domain generator: an unsigned number of 32 bits. */
function mix(state: number): number {
  let value = Math.imul(state ^ (state >>> 15), state | 1);
  value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
  return (value ^ (value >>> 14)) >>> 0;
}
