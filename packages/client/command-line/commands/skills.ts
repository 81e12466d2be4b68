import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { diffArrays } from 'diff';
import { parseDocument } from 'yaml';
import type { Errand } from '../../create-errand.ts';
import type { components } from '../../schema.ts';
import { UsageError } from '../exit-codes.ts';
import { readText } from '../session/read-files.ts';
import type { Session } from '../session/session.ts';
import { showNamed } from '../shown/named-things.ts';
import { paint } from '../shown/paint.ts';

type Skill = components['schemas']['Skill'];
type Summary = components['schemas']['SkillSummary'];

const listSkills = async ({ api }: Errand) => (await api.GET('/v1/skills')).data;

async function list(session: Session): Promise<void> {
  const data = await listSkills(await session.connect());
  session.show(data, () => showNamed('skill', data.skills));
}

/** The skill that a request with this name uses: one's own before those of others. */
async function findSkill(errand: Errand, name: string): Promise<Summary | undefined> {
  const named = (await listSkills(errand)).skills.filter((skill) => skill.name === name);
  return named.find(({ scope }) => scope === 'user') ?? named[0];
}

const isOwn = (skill: Summary | undefined): skill is Summary => skill?.scope === 'user';

const textOf = ({ description, instructions }: SkillText | Skill) =>
  `description: ${description}\n\n${instructions}`;

async function push(session: Session, file: string): Promise<void> {
  const written = await readSkillFile(session, file);
  const errand = await session.connect();
  const found = await findSkill(errand, written.name);
  const { data } = isOwn(found)
    ? await errand.api.PATCH('/v1/skills/{id}', {
        params: { path: { id: found.id } },
        body: { description: written.description, instructions: written.instructions },
      })
    : await errand.api.POST('/v1/skills', { body: written });
  const done = isOwn(found)
    ? data.version === found.version
      ? 'is as before'
      : 'has a new version'
    : 'is new';
  session.show(data, () => [`${data.name} ${done}: version ${data.version ?? '-'}.`]);
}

async function requireSkill(errand: Errand, name: string): Promise<Summary> {
  const found = await findSkill(errand, name);
  if (!found) throw new Error(`There is no skill named ${name}.`);
  return found;
}

async function pull(
  session: Session,
  name: string,
  file: string,
  { force }: { force?: true },
): Promise<void> {
  const errand = await session.connect();
  const { id, version } = await requireSkill(errand, name);
  const { data } = await errand.api.GET('/v1/skills/{id}', {
    params: { path: { id } },
    headers: { Accept: 'text/markdown' },
    parseAs: 'text',
  });
  if (file === '-' && session.json) return session.line({ name, version, markdown: data });
  if (file === '-') return session.terminal.pass(`${data}\n`);
  await writeFile(file, data, { flag: force ? 'w' : 'wx' }).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(code === 'EEXIST' ? `${file} exists: use --force.` : `${file} cannot be written.`);
  });
  session.show({ name, version, file }, () => [`${name} is in ${file}.`]);
}

async function diff(session: Session, file: string): Promise<void> {
  const written = await readSkillFile(session, file);
  const errand = await session.connect();
  const { id } = await requireSkill(errand, written.name);
  const { data } = await errand.api.GET('/v1/skills/{id}', { params: { path: { id } } });
  const lines = diffLines(textOf(data), textOf(written));
  const differs = lines.some((line) => !line.startsWith(' '));
  const painted = (line: string) =>
    line.startsWith('-') ? paint.red(line) : line.startsWith('+') ? paint.green(line) : line;
  session.show({ name: written.name, version: data.version, differs, lines }, () =>
    differs ? lines.map(painted) : [`${file} is as published.`],
  );
}

export function defineSkills(program: Command, session: Session): void {
  const skills = program.command('skills').description('list, publish, fetch and compare skills');
  skills
    .command('list')
    .description('the skills that you can use')
    .addHelpText('after', '\nWith --json: one document, {skills}.')
    .action(() => list(session));
  skills
    .command('push')
    .description('publish a SKILL.md: a new skill, or the next version of your own of that name')
    .argument('<file>', 'the SKILL.md')
    .addHelpText('after', '\nWith --json: one document, the skill.')
    .action((file: string) => push(session, file));
  skills
    .command('pull')
    .description('fetch a skill as a SKILL.md')
    .argument('<name>', 'the name of the skill')
    .argument('[file]', 'where it is written; - for stdout', 'SKILL.md')
    .option('--force', 'replace a file that exists')
    .addHelpText('after', '\nWith --json: one document, {name, version, file}, or markdown in place of file.')
    .action((name: string, file: string, options: { force?: true }) => pull(session, name, file, options));
  skills
    .command('diff')
    .description('what a SKILL.md would change: - is published, + is in the file')
    .argument('<file>', 'the SKILL.md')
    .addHelpText('after', '\nWith --json: one document, {name, version, differs, lines}.')
    .action((file: string) => diff(session, file));
}

interface SkillText {
  name: string;
  description: string;
  instructions: string;
}

const form = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)(?:\r?\n)?([\s\S]*)$/;

/** A `SKILL.md`: front matter with a name and a description, then the instructions. */
function parseSkill(text: string, file: string): SkillText {
  const [, frontMatter, instructions = ''] = form.exec(text) ?? [];
  if (frontMatter === undefined)
    throw new UsageError(`${file} must begin with front matter between two lines of ---.`);
  const document = parseDocument(frontMatter, { schema: 'failsafe', logLevel: 'error' });
  const [name, description] = ['name', 'description'].map((field) => document.get?.(field));
  if (document.errors.length > 0 || typeof name !== 'string')
    throw new UsageError(`The front matter of ${file} must be YAML with a name.`);
  return { name, description: typeof description === 'string' ? description : '', instructions };
}

const readSkillFile = async (session: Session, file: string): Promise<SkillText> =>
  parseSkill(await readText(session, file), file);

/** Texts that differ in more lines are shown as replaced, because the comparison takes quadratic time. */
const maxEditLength = 1_000;

/** Every line of both texts: with `-` if only the first has it, with `+` if only the second has, else with a space. */
export function diffLines(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark}${line}`);
  return (
    diffArrays(old, now, { maxEditLength })?.flatMap(({ added, removed, value }) =>
      marked(added ? '+' : removed ? '-' : ' ', value),
    ) ?? [...marked('-', old), ...marked('+', now)]
  );
}
