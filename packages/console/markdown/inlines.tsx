import type { Token, Tokens } from 'marked';
import { type Drawing, splitSigns, withoutSigns } from './marks.ts';
import { Maths } from './maths.tsx';
import { NoteLink } from './note-link.tsx';
import { safeAddress } from './safe-address.ts';
import type { MathsToken, NoteMarkToken } from './syntax.ts';

interface InlinesProps {
  tokens: readonly Token[] | undefined;
  drawing: Drawing;
}

export function Inlines({ tokens = [], drawing }: InlinesProps) {
  return (
    <>
      {tokens.map((token, i) => (
        <Inline key={i} token={token} drawing={drawing} />
      ))}
    </>
  );
}

function Inline({ token, drawing }: { token: Token; drawing: Drawing }) {
  const inner = <Inlines tokens={'tokens' in token ? token.tokens : undefined} drawing={drawing} />;
  switch (token.type) {
    case 'strong':
      return <strong>{inner}</strong>;
    case 'em':
      return <em>{inner}</em>;
    case 'del':
      return <del>{inner}</del>;
    case 'br':
      return <br />;
    case 'checkbox':
      return null;
    case 'codespan':
      return <Code text={(token as Tokens.Codespan).text} drawing={drawing} />;
    case 'link':
      return <Link address={withoutSigns((token as Tokens.Link).href, drawing.marks)}>{inner}</Link>;
    case 'image':
      return <Picture {...(token as Tokens.Image)} drawing={drawing} />;
    case 'maths':
      return <Maths token={token as MathsToken} drawing={drawing} />;
    case 'note-mark':
      return <NoteLink number={(token as NoteMarkToken).number} />;
    case 'escape':
    case 'text':
      return 'tokens' in token && token.tokens ? (
        inner
      ) : (
        <MarkedText text={(token as Tokens.Text).text} drawing={drawing} />
      );
    default:
      return <MarkedText text={token.raw} drawing={drawing} />;
  }
}

export const MarkedText = ({ text, drawing }: { text: string; drawing: Drawing }) => (
  <>
    {splitSigns(text, drawing.marks).map((piece) =>
      typeof piece === 'string' ? piece : drawing.drawMark(piece),
    )}
  </>
);

export const Code = ({ text, drawing }: { text: string; drawing: Drawing }) => (
  <code>
    {drawing.isQuoted ? <MarkedText text={text} drawing={drawing} /> : withoutSigns(text, drawing.marks)}
  </code>
);

/** Opens beside the console, which tells the other page nothing. Its title shows the address before a visitor follows it. */
export function Link({ address, children }: { address: string; children: preact.ComponentChildren }) {
  const href = safeAddress(address);
  if (!href) return <span class="no-link">{children}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** A picture that a text names is not fetched: its host would learn of the reader. */
const Picture = ({ href, text, drawing }: Tokens.Image & { drawing: Drawing }) => (
  <Link address={withoutSigns(href, drawing.marks)}>
    Picture{text && `: ${withoutSigns(text, drawing.marks)}`}
  </Link>
);

/** The tokens' text without what it looks like. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');
