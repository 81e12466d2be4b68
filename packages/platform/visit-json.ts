/** What is told of a JSON, from its beginning to its end. */
interface Visitor {
  begin(isObject: boolean): void;
  end(): void;
  key(key: string): void;
  value(value: string | number | boolean | null): void;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];
const between = new Set([0x20, 0x09, 0x0a, 0x0d, 0x3a]);

/** Anything that is no text and no list or object. */
const word = /[^\s,\]}]+/y;

/** Tells of the parts of a text that JSON.parse takes; of any other text it tells nonsense. */
export function visitJson(text: string, { begin, end, key, value }: Visitor): void {
  const objects: boolean[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (between.has(code)) continue;
    if (code === comma) isKey = objects.at(-1) === true;
    else if (code === openObject || code === openList) {
      isKey = code === openObject;
      objects.push(isKey);
      begin(isKey);
    } else if (code === closeObject || code === closeList) {
      objects.pop();
      end();
    } else {
      const after = code === quote ? afterText(text, at) : afterWord(text, at);
      const told = JSON.parse(text.slice(at, after));
      (isKey ? key : value)(told);
      isKey = false;
      at = after - 1;
    }
  }
}

function afterText(text: string, at: number): number {
  for (let last = text.indexOf('"', at + 1); last >= 0; last = text.indexOf('"', last + 1)) {
    let before = last;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((last - before) % 2 === 0) return last + 1;
  }
  return text.length;
}

function afterWord(text: string, at: number): number {
  word.lastIndex = at;
  word.exec(text);
  return word.lastIndex;
}
