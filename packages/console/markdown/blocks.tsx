import type { Token, Tokens } from 'marked';
import { Scrollable } from '../parts/scrollable.tsx';
import { Inlines, plainText } from './inlines.tsx';
import { type Drawing, withoutSigns } from './marks.ts';
import { backClass, noteClass, step } from './notes.tsx';
import type { NotesToken } from './syntax.ts';

/** Blocks that stand on their own have a direction of their own. Those within others have that of the outer one. */
type Direction = 'auto' | undefined;

export function Blocks({
  tokens,
  drawing,
  dir,
}: {
  tokens: readonly Token[];
  drawing: Drawing;
  dir?: Direction;
}) {
  return (
    <>
      {tokens.map((token, i) => (
        <Block key={i} token={token} drawing={drawing} dir={dir} />
      ))}
    </>
  );
}

function Block({ token, drawing, dir }: { token: Token; drawing: Drawing; dir: Direction }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'heading':
      return <Heading {...(token as Tokens.Heading)} drawing={drawing} dir={dir} />;
    case 'code':
      return (
        <Scrollable label="Code">
          <pre dir="ltr">
            <code>{withoutSigns((token as Tokens.Code).text, drawing.marks)}</code>
          </pre>
        </Scrollable>
      );
    case 'blockquote':
      return (
        <blockquote dir={dir}>
          <Blocks tokens={(token as Tokens.Blockquote).tokens} drawing={drawing} />
        </blockquote>
      );
    case 'list':
      return <List {...(token as Tokens.List)} drawing={drawing} dir={dir} />;
    case 'table':
      return <Table {...(token as Tokens.Table)} drawing={drawing} dir={dir} />;
    case 'html':
      return <p dir={dir}>{withoutSigns(token.raw, drawing.marks)}</p>;
    case 'paragraph':
      return (
        <p dir={dir}>
          <Inlines tokens={(token as Tokens.Paragraph).tokens} drawing={drawing} />
        </p>
      );
    case 'notes':
      return <Notes {...(token as NotesToken)} drawing={drawing} />;
    default:
      return <Inlines tokens={[token]} drawing={drawing} />;
  }
}

interface Drawn {
  drawing: Drawing;
  dir: Direction;
}

/** The page has headings of its own above the text's. */
function Heading({ depth, tokens, drawing, dir }: Tokens.Heading & Drawn) {
  const Name = `h${Math.min(depth + 2, 6)}` as 'h3';
  return (
    <Name class={`depth-${depth}`} dir={dir}>
      <Inlines tokens={tokens} drawing={drawing} />
    </Name>
  );
}

function List({ ordered, start, items, drawing, dir }: Tokens.List & Drawn) {
  const entries = items.map(({ task, checked, tokens }, i) => (
    <li key={i}>
      {task && (checked ? '☑ ' : '☐ ')}
      <Blocks tokens={tokens} drawing={drawing} />
    </li>
  ));
  return ordered ? (
    <ol start={start === '' ? 1 : start} dir={dir}>
      {entries}
    </ol>
  ) : (
    <ul dir={dir}>{entries}</ul>
  );
}

function Table({ header, rows, drawing, dir }: Tokens.Table & Drawn) {
  const cells = (row: Tokens.TableCell[], Name: 'th' | 'td') =>
    row.map(({ tokens, align }, i) => (
      <Name key={i} class={align ? `to-${align}` : undefined}>
        <Inlines tokens={tokens} drawing={drawing} />
      </Name>
    ));
  const label = `Table: ${header.map(({ tokens }) => plainText(tokens)).join(', ')}`;
  return (
    <Scrollable label={withoutSigns(label, drawing.marks)}>
      <table dir={dir}>
        <thead>
          <tr>{cells(header, 'th')}</tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}

const Notes = ({ notes, drawing }: NotesToken & { drawing: Drawing }) => (
  <ol class="notes">
    {notes.map(({ number, tokens }) => (
      <li key={number} class={noteClass(number)} tabIndex={-1} dir="auto">
        <Blocks tokens={tokens} drawing={drawing} />
        <button
          type="button"
          class="mark"
          aria-label={`Back from footnote ${number}`}
          onClick={step(backClass(number))}
        >
          ↩
        </button>
      </li>
    ))}
  </ol>
);
