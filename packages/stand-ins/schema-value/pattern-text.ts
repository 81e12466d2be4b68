const letters = 'standibcefghjklmopqruvwxyz';
const alphabet = `${letters}0123456789${letters.toUpperCase()}-_ .,:;/+=@#%&!?*()[]{}<>|~^$'"\`\\\n\té`;
const maxCharacters = 10_000;
const maxPatternCharacters = 2_000;

const group = /\((?<opening>\?(?:<?[=!]|:|<[^>]*>))?/uy;
const boundary = /\^|\$|\\b|\\B/uy;
const single = /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|.)|./isuy;
const quantifier = /(?:(?<sign>[*+?])|\{(?<least>\d+)(?<open>,(?<most>\d*))?\})\??/uy;

/**
 * A text that probably matches the pattern. `pick` chooses between branches and characters, `more` repeats that much
 * more often than needed. What looks ahead or behind is passed over, so the caller checks the text.
 */
export function patternText(pattern: string, pick: number, more: number): string {
  if (pattern.length > maxPatternCharacters) return '';
  let at = 0;
  const read = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    const found = expression.exec(pattern);
    if (found) at = expression.lastIndex;
    return found;
  };
  const readBranches = (): string => {
    const branches = [''];
    while (at < pattern.length && pattern[at] !== ')') {
      if (pattern[at] === '|') {
        at++;
        branches.push('');
      } else branches.push(branches.pop() + repeat(readAtom(), read(quantifier)?.groups, more));
    }
    return branches[pick % branches.length] ?? '';
  };
  const readAtom = (): string => {
    const opened = read(group);
    if (opened) {
      const inner = readBranches();
      at++;
      return /[=!]$/.test(opened.groups?.opening ?? '') ? '' : inner;
    }
    return read(boundary) ? '' : characterOf(read(single)?.[0] ?? '', pick);
  };
  return readBranches();
}

function repeat(text: string, asked: Record<string, string | undefined> | undefined, more: number): string {
  if (asked === undefined || text === '') return text;
  const { sign, least: written, open, most: end } = asked;
  const least = sign === undefined ? Number(written) : sign === '+' ? 1 : 0;
  const isOpen = sign === undefined ? open !== undefined : sign !== '?';
  const most = sign === '?' ? 1 : end ? Number(end) : isOpen ? Number.POSITIVE_INFINITY : least;
  return text.repeat(Math.min(least + more, most, Math.ceil(maxCharacters / text.length)));
}

function characterOf(source: string, pick: number): string {
  const fitting = new RegExp(`^${source}$`, 'us');
  const found = [...alphabet, ...source].filter((character) => fitting.test(character));
  return found[pick % Math.max(1, found.length)] ?? '';
}
