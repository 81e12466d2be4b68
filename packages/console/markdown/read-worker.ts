import { lexer, type Token } from 'marked';

/** Tokens and lists of tokens, one in the other. Nobody means a deeper text, and a browser draws none. */
const deepest = 120;
const mostTokens = 60_000;

/** Whether the tokens can be drawn. Walks without recursion, because that is what deep ones break. */
function canBeDrawn(tokens: readonly Token[]): boolean {
  let level: object[] = [tokens];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth++) {
    seen += level.length;
    if (depth > deepest || seen > mostTokens) return false;
    level = level.flatMap((part) =>
      Object.values(part).filter((value) => typeof value === 'object' && value),
    );
  }
  return true;
}

addEventListener('message', ({ data }: MessageEvent<string>) => {
  try {
    const tokens = [...lexer(data, { gfm: true })];
    postMessage(canBeDrawn(tokens) ? tokens : undefined);
  } catch {
    postMessage(undefined);
  }
});
