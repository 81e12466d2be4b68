import { columnsOf, fieldOf, pointerTo, type Row, type Run, writeCsv } from '@errand/client';
import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { type Citation, mostMarkers } from '../markdown/marks.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { download } from '../parts/download.ts';
import { Scrollable } from '../parts/scrollable.tsx';
import { CitationsAside } from './citations-aside.tsx';
import { useOpened } from './opened-passage.ts';
import './value.css';

/** What is known of the fact at a pointer, and how its passages are opened. */
interface Facts {
  citationsOf(pointer: string): readonly Citation[];
  isUnsupported(pointer: string): boolean;
  openedFrom: string | undefined;
  open(citation: Citation, from: string): void;
}

const FactsContext = createContext<Facts | undefined>(undefined);

/** The value of a run: its lists of objects as tables, anything else as fields, each fact with the numbers of its sources. */
export function Value({ run }: { run: Run }) {
  const { result = '', output, basis = [], unsupported = [], citations = [] } = run;
  const { opened, open, close } = useOpened();
  const known = useMemo(() => {
    const cited = new Map(basis.map((each) => [each.pointer, each.citations]));
    const weak = new Set(unsupported);
    return {
      citationsOf: (pointer: string) => cited.get(pointer) ?? [],
      isUnsupported: (pointer: string) => weak.has(pointer),
    };
  }, [run]);
  const claims = useMemo(
    () =>
      new Map(basis.flatMap((each) => each.citations.map(({ startIndex }) => [startIndex, each.pointer]))),
    [run],
  );
  const claimOf = ({ startIndex, endIndex }: Citation): string =>
    `${wordsOf(claims.get(startIndex) ?? '')}: ${withoutQuotes(result.slice(startIndex, endIndex))}`;
  return (
    <article class={citations.length > 0 ? 'answer with-citations' : 'answer'}>
      <div class="stack value">
        <div class="row spread">
          <h2>Result</h2>
          <div class="row">
            <CopyButton text={result} name="Copy as JSON" />
            <button type="button" onClick={() => download(result, 'result.json', 'application/json')}>
              Download JSON
            </button>
          </div>
        </div>
        {unsupported.length > 0 && (
          <p class="notice" role="note">
            {unsupported.length === 1
              ? 'One field is not borne out by the sources. It is'
              : `${unsupported.length} fields are not borne out by the sources. They are`}{' '}
            marked, and empty where the schema allows that.
          </p>
        )}
        <FactsContext.Provider value={{ ...known, openedFrom: opened?.from, open }}>
          <Part value={output} pointer="" />
        </FactsContext.Provider>
      </div>
      {citations.length > 0 && <CitationsAside {...{ citations, claimOf, opened, open, close }} />}
    </article>
  );
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTable = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);

function Part({ value, pointer }: { value: unknown; pointer: string }) {
  if (isTable(value)) return <Table rows={value} pointer={pointer} />;
  if (Array.isArray(value) && value.length > 0)
    return (
      <ul>
        {value.map((item, index) => (
          <li key={index}>
            <Part value={item} pointer={pointerTo(pointer, index)} />
          </li>
        ))}
      </ul>
    );
  if (!isRow(value)) return <Fact value={value} pointer={pointer} />;
  return (
    <dl>
      {Object.entries(value).map(([name, part]) => (
        <div key={name}>
          <dt dir="auto">{name}</dt>
          <dd>
            <Part value={part} pointer={pointerTo(pointer, name)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Table({ rows, pointer }: { rows: readonly Row[]; pointer: string }) {
  const columns = columnsOf(rows);
  const name = nameOf(pointer);
  return (
    <div class="stack">
      <Scrollable label={`Table: ${name}`}>
        <table class="list">
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" dir="auto">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {columns.map((column) => (
                  <td key={column} class={typeof fieldOf(row, column) === 'number' ? 'figure' : undefined}>
                    <Part
                      value={fieldOf(row, column)}
                      pointer={pointerTo(pointerTo(pointer, index), column)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      <div class="row">
        <button type="button" onClick={() => download(writeCsv(rows), `${name}.csv`, 'text/csv')}>
          Download CSV<span class="unseen"> of {name}</span>
        </button>
      </div>
    </div>
  );
}

/** A text, number or flag with the numbers of its sources. */
function Fact({ value, pointer }: { value: unknown; pointer: string }) {
  const { citationsOf, isUnsupported, openedFrom, open } = useContext(FactsContext)!;
  const shown = textOf(value);
  return (
    <>
      <span dir="auto" class="text">
        {shown}
      </span>
      {citationsOf(pointer)
        .slice(0, mostMarkers)
        .map((citation, index) => {
          const id = `fact-${pointer}-${index}`;
          return (
            <button
              key={id}
              id={id}
              type="button"
              class="mark"
              aria-expanded={openedFrom === id}
              aria-label={`Passage of source ${citation.number ?? ''}: ${wordsOf(pointer)}: ${shown}`}
              onClick={() => open(citation, id)}
            >
              {citation.number ?? '·'}
            </button>
          );
        })}
      {isUnsupported(pointer) && ' '}
      {isUnsupported(pointer) && <strong class="support is-bad">not borne out</strong>}
    </>
  );
}

/** What is not there is a dash. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return Array.isArray(value) ? 'none' : String(value);
}

const namesOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A place in words: numbers of rows are counted from 1. */
const wordsOf = (pointer: string): string =>
  namesOf(pointer)
    .map((name) => (/^\d+$/.test(name) ? `${Number(name) + 1}` : name))
    .join(' ');

const nameOf = (pointer: string): string =>
  namesOf(pointer).findLast((name) => !/^\d+$/.test(name)) || 'result';

function withoutQuotes(json: string): string {
  try {
    return textOf(JSON.parse(json));
  } catch {
    return json;
  }
}
