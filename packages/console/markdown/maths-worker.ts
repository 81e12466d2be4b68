import temml from 'temml';
import { isBeyond } from '../words/nesting.ts';
import { type MathsElement, type MathsTree, mostNodes, type ReadFormula } from './maths-tree.ts';

/** A browser draws deeper formulas slowly, or not at all. */
const drawable = { levels: 120, parts: 20_000 };

/** What MathML Core has. Anything else is drawn as a row of its parts. */
const elements = new Set(
  (
    'math mrow mi mn mo mtext mspace ms mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup ' +
    'munder mover munderover mmultiscripts mprescripts mtable mtr mtd'
  ).split(' '),
);

/** Nothing that loads, leads somewhere, runs, or is a style. */
const attributes = new Set(
  (
    'display displaystyle scriptlevel mathvariant stretchy fence separator form lspace rspace minsize maxsize ' +
    'movablelimits symmetric largeop accent accentunder linethickness width height depth voffset rowspan columnspan'
  ).split(' '),
);

/** Classes of Temml that the stylesheet knows. */
const classes = new Set(['tml-jot', 'tml-left', 'tml-right', 'tml-overline', 'tml-underline', 'tml-fbox']);

/** A node of Temml's tree. */
interface TemmlNode {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  classes?: readonly string[];
  children?: readonly TemmlNode[];
}

function toTree({
  type = 'mrow',
  text,
  attributes: given = {},
  classes: named = [],
  children = [],
}: TemmlNode): MathsTree {
  if (text !== undefined) return text;
  const kept: MathsElement['attributes'] = {};
  for (const [name, value] of Object.entries(given)) if (attributes.has(name)) kept[name] = String(value);
  const styled = named.filter((name) => classes.has(name));
  if (styled.length > 0) kept.class = styled.join(' ');
  return { name: elements.has(type) ? type : 'mrow', attributes: kept, children: children.map(toTree) };
}

/** Undefined for what is no TeX, or more than a browser can draw. */
function readFormula(key: string): ReadFormula | undefined {
  const at = key.indexOf(' ');
  const formula = key.slice(at + 1);
  if (nesting(formula) > drawable.levels) return undefined;
  try {
    const tree = toTree(
      temml.__renderToMathMLTree(formula, {
        displayMode: key.slice(0, at) === 'display',
        throwOnError: true,
        maxSize: [40, 40],
      }),
    );
    return isBeyond([tree], drawable) ? undefined : { tree, nodes: ownNodes + countNodes(tree) };
  } catch {
    return undefined;
  }
}

/**
 * The most groups around a place. Temml leaves groups of one part out of its tree, and would read them until its stack is full:
 * how many that are differs from one time to the next.
 */
function nesting(formula: string): number {
  let level = 0;
  let most = 0;
  for (const [mark] of formula.matchAll(/\\.|[{}]/gs)) {
    if (mark === '{') most = Math.max(most, ++level);
    else if (mark === '}') level--;
  }
  return most;
}

/** A browser takes as long for a formula itself. */
const ownNodes = 10;

const countNodes = (tree: MathsTree): number =>
  typeof tree === 'string' ? 1 : tree.children.reduce((sum, child) => sum + countNodes(child), 1);

/** The formulas up to what a browser draws. */
function readFormulas(keys: readonly string[]): Map<string, ReadFormula | undefined> {
  const answer = new Map<string, ReadFormula | undefined>();
  let nodes = 0;
  for (const key of keys) {
    if (nodes > mostNodes) break;
    if (!read.has(key)) read.set(key, readFormula(key));
    const formula = read.get(key);
    nodes += formula?.nodes ?? 1;
    answer.set(key, formula);
  }
  return answer;
}

/** The formulas of a text that grows are read once each. */
const read = new Map<string, ReadFormula | undefined>();
const mostKept = 2_000;

addEventListener('message', ({ data }: MessageEvent<readonly string[]>) => {
  if (read.size > mostKept) read.clear();
  postMessage(readFormulas(data));
});

postMessage('ready');
