/** Reads the text of a custom tool out of the arguments of the function that stands for it, piece by piece. */
export interface InputReader {
  /** The text that this piece adds. */
  read(piece: string): string;
  /** The text that was held back until the end. */
  end(): string;
}

const beginning = /^\s*\{\s*"input"\s*:\s*"/;
/** Arguments that do not begin so within this many characters are read at their end. */
const beginningCharacters = 64;

/**
 * Text without escapes, an escape, or what no JSON has after a backslash, which models write all the same. An escape
 * that is not whole yet is none of these.
 */
const unit = /[^"\\]+|\\(?:u[\da-f]{4}|[^u]|u(?![\da-f]{0,3}$))/iy;

const escaped: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

function decode(written: string): string {
  if (!written.startsWith('\\')) return written;
  if (written.length > 2) return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  return escaped[written.charAt(1)] ?? written;
}

/** The string `input` is read as it comes, also where it breaks off. Of arguments that do not begin with it, it is read once they are whole. */
export function createInputReader(): InputReader {
  let unread = '';
  let place: 'before' | 'inside' | 'behind' | 'elsewhere' = 'before';
  let half = '';
  const begin = () => {
    const found = beginning.exec(unread.slice(0, beginningCharacters));
    if (found) unread = unread.slice(found[0].length);
    if (found) place = 'inside';
    else if (unread.length >= beginningCharacters) place = 'elsewhere';
  };
  const readInside = (): string => {
    let text = half;
    let at = 0;
    unit.lastIndex = 0;
    for (let found = unit.exec(unread); found; found = unit.exec(unread)) {
      text += decode(found[0]);
      at = unit.lastIndex;
    }
    unread = unread.slice(at);
    if (unread.startsWith('"')) place = 'behind';
    // Half of a character is no text for many clients.
    half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    return text.slice(0, text.length - half.length).toWellFormed();
  };
  return {
    read(piece) {
      if (place === 'behind') return '';
      unread += piece;
      if (place === 'before') begin();
      return place === 'inside' ? readInside() : '';
    },
    end: () => (place === 'before' || place === 'elsewhere' ? inputOf(unread) : half.toWellFormed()),
  };
}

/** The field `input` of an object. Anything else is the text itself: what the model wrote is worth more than nothing. */
function inputOf(written: string): string {
  try {
    const { input } = JSON.parse(written);
    if (typeof input === 'string') return input;
  } catch {
    // The tool may take it.
  }
  return written;
}
