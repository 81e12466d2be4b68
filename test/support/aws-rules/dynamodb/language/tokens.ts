type TokenKind = 'name' | 'value' | 'word' | 'index' | 'sign';

export interface Token {
  kind: TokenKind;
  text: string;
}

const token =
  /\s*(?:(?<name>#\w+)|(?<value>:\w+)|(?<word>[A-Za-z]\w*)|(?<index>\d+)|(?<sign><>|<=|>=|[=<>()[\]+,.-]))\s*/y;

/** The parts of an expression. Throws at what belongs to none. */
export function readTokens(expression: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  for (let at = 0; at < expression.length; at = token.lastIndex) {
    const groups = token.exec(expression)?.groups;
    if (!groups) throw new SyntaxError(`unexpected ${JSON.stringify(expression.slice(at, at + 20))}`);
    const [kind, text] = Object.entries(groups).find(([, found]) => found !== undefined) as [
      TokenKind,
      string,
    ];
    tokens.push({ kind, text });
  }
  return tokens;
}
