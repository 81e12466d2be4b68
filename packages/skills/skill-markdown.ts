import { fieldIssue } from '@errand/platform';
import { parse, stringify, YAMLParseError } from 'yaml';
import type { SkillDetail } from './skill.ts';

/** The limit of the front matter. It is generous, because other tools keep fields of their own there. */
const frontMatterCharacters = 8_192;

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
  if (closing.index > frontMatterCharacters)
    throw wrongFrontMatter(`must have at most ${frontMatterCharacters.toLocaleString('en')} characters`);
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
  let value: unknown;
  try {
    value = parse(yaml, { schema: 'failsafe', maxAliasCount: 0, logLevel: 'error' });
  } catch (error) {
    // The opening fence is the first line of the file, so the front matter begins on the second.
    const line = error instanceof YAMLParseError && error.linePos && error.linePos[0].line + 1;
    throw wrongFrontMatter(`is not valid YAML${line ? ` (line ${line})` : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrongFrontMatter('must have a name');
  return value;
}

const wrongFrontMatter = (problem: string) => fieldIssue('front matter', problem);
