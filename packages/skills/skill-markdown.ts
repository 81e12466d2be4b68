import { fieldIssue, limits } from '@errand/platform';
import { isMap, isScalar, parseDocument, stringify, visit } from 'yaml';
import type { SkillDetail } from './skill.ts';

/** The limit of the front matter. It is generous, because other tools keep fields of their own there. */

const openingFence = /^---[ \t]*\r?\n/;
const closingFence = /(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/;

/**
 * Writes each scalar on one line: folded and block scalars lose line ends at the start and end of a text, and may
 * contain a line that looks like the closing fence.
 */
const oneLineEach = {
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
} as const;

/**
 * A `SKILL.md`: front matter with `name` and `description`, a blank line, then the instructions. Line ends after the
 * blank line belong to the instructions.
 */
export function formatSkillMarkdown({ name, description, instructions }: SkillDetail): string {
  const frontMatter = stringify({ name, description }, oneLineEach);
  return `---\n${frontMatter}---\n\n${instructions}`;
}

/** The fields of a `SKILL.md`, not yet validated. Throws `invalid_request` for missing or unreadable front matter. */
export function parseSkillMarkdown(text: string): Record<string, unknown> {
  const opening = openingFence.exec(text)?.[0];
  if (opening === undefined) throw wrongFrontMatter('is missing: the file must begin with a line ---');
  const rest = text.slice(opening.length);
  const closing = closingFence.exec(rest);
  if (!closing) throw wrongFrontMatter('must end with a line ---');
  if (closing.index > limits.frontMatterCharacters)
    throw wrongFrontMatter(
      `must have at most ${limits.frontMatterCharacters.toLocaleString('en')} characters`,
    );
  const instructions = rest.slice(closing.index + closing[0].length).replace(/^\r?\n/, '');
  const { name, description } = readFrontMatter(rest.slice(0, closing.index));
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    instructions,
  };
}

/** Every scalar is a string (`name: 1984` is valid), aliases are refused, and tags have no effect. */
function readFrontMatter(yaml: string): { name?: unknown; description?: unknown } {
  const root = parseYaml(yaml);
  if (!isMap(root)) throw wrongFrontMatter('must have a name');
  const scalarAt = (name: string): unknown => {
    const node = root.get(name, true);
    return isScalar(node) ? node.value : node;
  };
  return { name: scalarAt('name'), description: scalarAt('description') };
}

/**
 * The document's nodes. They are not made into an object: the library writes each key that is a map or a list as text,
 * and 500 characters of such keys in keys would hold the process for a second.
 */
function parseYaml(yaml: string): unknown {
  let line: number | undefined;
  let isWrong = false;
  try {
    const document = parseDocument(yaml, { schema: 'failsafe', logLevel: 'error' });
    const [error] = document.errors;
    // The opening fence is the first line of the file, so the front matter begins on the second.
    if (error?.linePos) line = error.linePos[0].line + 1;
    isWrong = error !== undefined;
    visit(document, {
      Alias() {
        isWrong = true;
        return visit.BREAK;
      },
    });
    if (!isWrong) return document.contents;
  } catch {
    // Nested too deeply for the library.
  }
  throw wrongFrontMatter(`is not valid YAML${line ? ` (line ${line})` : ''}`);
}

const wrongFrontMatter = (problem: string) => fieldIssue('front matter', problem);
