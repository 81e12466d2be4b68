import { csvText, isFields, limits, sha256Hex, shownAs, writeCsv } from '@errand/platform';
import { savedFileTypes } from '@errand/text';
import * as v from 'valibot';
import { defineTool, ToolError } from '../tool.ts';

/**
 * Stores a file of the run, after the first `afterBytes` bytes of the one that is there, and returns a signed link to it.
 * Undefined if fewer are there.
 */
export interface FileExport {
  save(
    filename: string,
    content: string,
    afterBytes: number,
  ): Promise<{ url: string; expiresAt: string } | undefined>;
}

const extensions = Object.keys(savedFileTypes);

/** The characters of a name that are read. Some steps take the square of its length. */
const readCharacters = 400;

type Row = Readonly<Record<string, unknown>>;

/** A field may have any name: schemas of objects drop those that objects of JavaScript have of themselves. */
const row = shownAs(v.looseObject({}), v.custom<Row>(isFields));

/** The tool refuses every call if there is no `fileExport`, because saving files is then switched off. */
export const saveFile = (deps: { fileExport?: FileExport }) =>
  defineTool({
    name: 'save_file',
    description: `Saves a text file (${extensions.join(' ')}) and returns a download link for the caller.`,
    parameters: v.object({
      filename: v.pipe(v.string(), v.description('The name of the file, with its ending.')),
      content: v.optional(v.pipe(v.string(), v.description('The text of the file, or of its next part.'))),
      rows: v.optional(
        v.pipe(
          v.array(row),
          v.description(
            'A table in place of content: an object for each row, all with the same fields. Saved as CSV or JSON by the ending.',
          ),
        ),
      ),
      append: v.optional(
        v.pipe(
          v.boolean(),
          v.description('Adds the content to the end of the file. A long file is saved in parts this way.'),
        ),
      ),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    sends: 'nothing',
    inOrder: true,
    isOff: !deps.fileExport,
    async run({ filename, append, ...given }, { savedFiles }) {
      if (!deps.fileExport) throw new ToolError('File export is not enabled');
      const name = safeFilename(filename);
      const content = contentOf(given, name, append);
      const before = append ? (savedFiles.get(name) ?? 0) : 0;
      const bytes = before + Buffer.byteLength(content);
      if (bytes > limits.savedFileBytes)
        throw new ToolError(`The file has ${bytes} bytes; at most ${limits.savedFileBytes} can be saved.`);
      const saved = await deps.fileExport.save(name, content, before);
      if (!saved) throw new ToolError(`The file ${name} is gone. Save it again from its beginning.`);
      savedFiles.set(name, bytes);
      const text = `Saved ${name} (${bytes} bytes). Download link, valid until ${saved.expiresAt}: ${saved.url}`;
      return { text, savedFile: { name, bytes } };
    },
  });

/** The text of the file. Throws `ToolError` for rows that cannot be written so. */
function contentOf(
  { content, rows }: { content?: string | undefined; rows?: readonly Row[] | undefined },
  name: string,
  append: boolean | undefined,
): string {
  if ((content === undefined) === (rows === undefined)) throw new ToolError('Give either content or rows.');
  if (rows === undefined) return content ?? '';
  if (append) throw new ToolError('Rows are saved as a whole file. To add to one, give content.');
  if (name.endsWith('.json')) return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
  if (name.endsWith('.csv')) return tableOf(rows);
  throw new ToolError('Rows are saved in a file that ends in .csv or .json.');
}

/** Each field that any row has is a column, in the order in which they come up. */
function tableOf(rows: readonly Row[]): string {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = fields.length * (rows.length + 1);
  // A cell has a byte at least: rows that share no fields would fill the memory.
  if (cells > limits.savedFileBytes)
    throw new ToolError(`The table has ${cells} cells; at most ${limits.savedFileBytes} can be saved.`);
  const line = (row: Row) => fields.map((field) => cellOf(Object.hasOwn(row, field) ? row[field] : null));
  return writeCsv([fields.map(csvText), ...rows.map(line)]);
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return csvText(value);
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? csvText(JSON.stringify(value)) : String(value);
}

/**
 * The base name, reduced to characters that are safe in a path, a URL and a header. A name that had to change gets a
 * hash of the original, so that two names never become one. Throws `ToolError` for an ending that may not be saved.
 */
export function safeFilename(filename: string): string {
  const base = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
  const dot = base.lastIndexOf('.');
  const extension = dot < 0 ? '' : base.slice(dot).toLowerCase();
  if (!extensions.includes(extension))
    throw new ToolError(`Files may end in ${extensions.join(', ')}; ${JSON.stringify(base)} does not.`);
  const stem = base
    .slice(0, Math.min(dot, readCharacters))
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80);
  if (stem && stem + extension === base) return base;
  return `${stem || 'file'}-${sha256Hex(base).slice(0, 8)}${extension}`;
}
