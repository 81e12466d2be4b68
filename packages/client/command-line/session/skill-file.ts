import { readFile } from 'node:fs/promises';
import { parseDocument } from 'yaml';
import { UsageError } from '../exit-codes.ts';

export interface SkillText {
  name: string;
  description: string;
  instructions: string;
}

const form = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)(?:\r?\n)?([\s\S]*)$/;

/** A `SKILL.md`: front matter with a name and a description, then the instructions. */
export function parseSkill(text: string, file: string): SkillText {
  const [, frontMatter, instructions = ''] = form.exec(text) ?? [];
  if (frontMatter === undefined)
    throw new UsageError(`${file} must begin with front matter between two lines of ---.`);
  const document = parseDocument(frontMatter, { schema: 'failsafe', logLevel: 'error' });
  const [name, description] = ['name', 'description'].map((field) => document.get?.(field));
  if (document.errors.length > 0 || typeof name !== 'string')
    throw new UsageError(`The front matter of ${file} must be YAML with a name.`);
  return { name, description: typeof description === 'string' ? description : '', instructions };
}

export async function readSkillFile(file: string): Promise<SkillText> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`);
  });
  return parseSkill(text, file);
}
