export interface OutputText {
  push(text: string): void;
  characters(): number;
  finish(): { text: string; truncatedCharacters: number };
}

/** Keeps the first `limit` characters and counts the rest. */
export function createOutputText(limit: number): OutputText {
  const parts: string[] = [];
  let kept = 0;
  let total = 0;
  return {
    push(text) {
      total += text.length;
      if (kept >= limit) return;
      const part = text.slice(0, limit - kept);
      kept += part.length;
      parts.push(part);
    },
    characters: () => total,
    finish() {
      // A surrogate pair is never cut in two.
      const text = parts.join('').replace(/[\ud800-\udbff]$/, '');
      return { text, truncatedCharacters: total - text.length };
    },
  };
}
