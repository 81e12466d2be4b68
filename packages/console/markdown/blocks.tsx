import type { Token, Tokens } from 'marked';
import { Scrollable } from '../parts/scrollable.tsx';
import { Code, Inlines, plainText } from './inlines.tsx';
import { type Drawing, withoutSigns } from './marks.ts';
import { NoteLink } from './note-link.tsx';
import type { NotesToken } from './syntax.ts';

export function Blocks({ tokens, drawing }: { tokens: readonly Token[]; drawing: Drawing }) {
  return (
    <>
      {tokens.map((token, i) => (
        <Block key={i} token={token} drawing={drawing} />
      ))}
    </>
  );
}

function Block({ token, drawing }: { token: Token; drawing: Drawing }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'hr':
      return <hr />;
    case 'heading':
      return <Heading {...(token as Tokens.Heading)} drawing={drawing} />;
    case 'code':
      return (
        <Scrollable label="Code">
          <pre dir="ltr">
            <Code text={(token as Tokens.Code).text} drawing={drawing} />
          </pre>
        </Scrollable>
      );
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={(token as Tokens.Blockquote).tokens} drawing={drawing} />
        </blockquote>
      );
    case 'list':
      return <List {...(token as Tokens.List)} drawing={drawing} />;
    case 'table':
      return <Table {...(token as Tokens.Table)} drawing={drawing} />;
    case 'html':
      return <p>{withoutSigns(token.raw, drawing.marks)}</p>;
    case 'paragraph':
      return (
        <p>
          <Inlines tokens={(token as Tokens.Paragraph).tokens} drawing={drawing} />
        </p>
      );
    case 'notes':
      return <Notes {...(token as NotesToken)} drawing={drawing} />;
    default:
      return <Inlines tokens={[token]} drawing={drawing} />;
  }
}

/** The page has headings of its own above the text's. */
function Heading({ depth, tokens, drawing }: Tokens.Heading & { drawing: Drawing }) {
  const Name = drawing.isQuoted ? 'p' : (`h${Math.min(depth + 2, 6)}` as 'h3');
  return (
    <Name class={`depth-${depth}`}>
      <Inlines tokens={tokens} drawing={drawing} />
    </Name>
  );
}

function List({ ordered, start, items, drawing }: Tokens.List & { drawing: Drawing }) {
  const entries = items.map(({ task, checked, tokens }, i) => (
    <li key={i}>
      {task && (checked ? '☑ ' : '☐ ')}
      <Blocks tokens={tokens} drawing={drawing} />
    </li>
  ));
  return ordered ? <ol start={start === '' ? 1 : start}>{entries}</ol> : <ul>{entries}</ul>;
}

function Table({ header, rows, drawing }: Tokens.Table & { drawing: Drawing }) {
  const cells = (row: Tokens.TableCell[], Name: 'th' | 'td') =>
    row.map(({ tokens, align }, i) => (
      <Name key={i} class={align ? `to-${align}` : undefined}>
        <Inlines tokens={tokens} drawing={drawing} />
      </Name>
    ));
  const label = `Table: ${header.map(({ tokens }) => plainText(tokens)).join(', ')}`;
  return (
    <Scrollable label={withoutSigns(label, drawing.marks)}>
      <table>
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
      <li key={number}>
        <Blocks tokens={tokens} drawing={drawing} />
        <NoteLink number={number} back />
      </li>
    ))}
  </ol>
);
