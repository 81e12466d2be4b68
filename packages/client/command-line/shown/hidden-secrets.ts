/** A shorter text is not a key, and would be found in words and numbers. */
const fewestCharacters = 8;

/** Characters without width: a person still reads a secret that contains them. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** Far more than a secret has. */
const mostWaiting = 1_000;

const withoutInvisible = (text: string): string => text.replace(invisible, '');

/** How many characters at the end of a text are the beginning of a secret. */
function begunCharacters(text: string, secret: string): number {
  let length = Math.min(text.length, secret.length - 1);
  while (length > 0 && !text.endsWith(secret.slice(0, length))) length--;
  return length;
}

/** The index at which a text's last visible characters begin, as many as given. */
function placeOfLast(visibleCharacters: number, text: string): number {
  let [place, left] = [text.length, visibleCharacters];
  for (const character of left > 0 ? [...text].reverse() : []) {
    if (left <= 0) break;
    place -= character.length;
    left -= withoutInvisible(character).length;
  }
  return place;
}

/** What takes no room is dropped where there is a great deal of it: each piece would be looked through again. */
const shortened = (waiting: string): string =>
  waiting.length > mostWaiting ? withoutInvisible(waiting) : waiting;

export type HiddenSecrets = ReturnType<typeof createHiddenSecrets>;

/** Secrets that must not be shown, and texts without them. */
export function createHiddenSecrets() {
  const hidden = new Set<string>();
  const without = (text: string): string => {
    const seen = withoutInvisible(text);
    let left = seen;
    for (const secret of hidden) left = left.replaceAll(secret, '***');
    return left === seen ? text : left;
  };
  return {
    hide(given: string): void {
      const secret = withoutInvisible(given).trim();
      if (secret.length < fewestCharacters) return;
      hidden.add(secret).add(JSON.stringify(secret).slice(1, -1));
    },
    without,
    /** A text that comes in pieces: what may be the beginning of a secret waits for the next piece, or for the end. */
    inPieces() {
      let waiting = '';
      return {
        next(piece: string): string {
          const whole = waiting + piece;
          // A character may be cut in two.
          const cut = /[\ud800-\udbff]$/.test(whole) ? whole.length - 1 : whole.length;
          const text = without(whole.slice(0, cut));
          const seen = withoutInvisible(text);
          const begun = Math.max(0, ...[...hidden].map((secret) => begunCharacters(seen, secret)));
          const place = placeOfLast(begun, text);
          waiting = shortened(text.slice(place)) + whole.slice(cut);
          return text.slice(0, place);
        },
        rest(): string {
          const rest = waiting;
          waiting = '';
          return rest;
        },
      };
    },
  };
}
