/** Finds where an object ends whose JSON comes in pieces. */
export interface JsonEnd {
  /** The part of the piece that belongs to the object. */
  read(piece: string): string;
  isReached(): boolean;
}

/** Each character is looked at once, however many pieces there are. JSON that is no object has no end. */
export function createJsonEnd(): JsonEnd {
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  let isReached = false;
  const step = (character: string) => {
    if (inText) {
      if (isEscaped) isEscaped = false;
      else if (character === '\\') isEscaped = true;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    else return;
    isReached = depth === 0 && character === '}' && !inText;
  };
  return {
    read(piece) {
      for (let i = 0; i < piece.length; i++) {
        if (isReached) return piece.slice(0, i);
        step(piece[i]!);
      }
      return piece;
    },
    isReached: () => isReached,
  };
}
