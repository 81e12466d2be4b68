type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Text in a style, whose codes it gets where it is written, once nothing else in it is a code. */
interface Painted {
  style: Style;
  text: string;
}

export type Part = string | Painted;

const inStyle =
  (style: Style) =>
  (text: string): Painted => ({ style, text });

export const paint = {
  bold: inStyle('bold'),
  dim: inStyle('dim'),
  red: inStyle('red'),
  green: inStyle('green'),
  yellow: inStyle('yellow'),
  cyan: inStyle('cyan'),
};
