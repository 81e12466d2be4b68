import type { Command } from 'commander';
import type { components } from '../../schema.ts';
import { UsageError } from '../exit-codes.ts';
import { readBody, readGiven } from '../session/read-files.ts';
import type { Session } from '../session/session.ts';
import { fieldLines } from '../shown/fields.ts';
import { showNamed } from '../shown/named-things.ts';
import { tableLines } from '../shown/table.ts';
import { utcTime } from '../shown/words.ts';
import { addRunOptions, listOf, type RunOptions, readRunFields, throwWithRunOptions } from './run-options.ts';

type Schemas = components['schemas'];
type NewAgent = Schemas['NewAgent'];

const path = (name: string) => ({ params: { path: { name } } });

async function list(session: Session): Promise<void> {
  const { data } = await (await session.connect()).api.GET('/v1/agents');
  session.show(data, () =>
    showNamed(
      'agent',
      data.agents.map(({ id, ...agent }) => ({ ...agent, name: id })),
    ),
  );
}

const readReference = (given: string): { name: string; version?: string } => {
  const at = given.indexOf('@');
  return at < 0 ? { name: given } : { name: given.slice(0, at), version: given.slice(at + 1) };
};

async function show(session: Session, given: string): Promise<void> {
  const { api } = await session.connect();
  const { name, version } = readReference(given);
  const { data } =
    version === undefined
      ? await api.GET('/v1/agents/{name}', path(name))
      : await api.GET('/v1/agents/{name}/versions/{number}', {
          params: { path: { name, number: version } },
        });
  const { instructions, ...fields } = data;
  session.show(data, () => [...fieldLines(fields), '', instructions]);
}

interface Options extends RunOptions {
  file?: string;
  description?: string;
  instructions?: string;
  open?: string;
}

/** What the options and the file say of an agent. The options count before the file. */
async function readAgent(session: Session, given: string | undefined, options: Options) {
  const { file, description, instructions, open } = options;
  const fromFile = file === undefined ? {} : await readBody<NewAgent>(session, file);
  const fields = Object.entries({
    ...(await readRunFields(session, options)),
    description,
    instructions: instructions === undefined ? undefined : await readGiven(session, instructions),
    open: open === undefined ? undefined : listOf(open),
  }).filter(([, value]) => value !== undefined);
  const { name: inFile, ...body } = { ...fromFile, ...Object.fromEntries(fields) } as Partial<NewAgent>;
  const name = given ?? inFile;
  if (name !== undefined) return { name, body };
  throw new UsageError('The name is missing: give it before the options, or in the file.');
}

/** The service says what is missing. */
async function create(session: Session, given: string | undefined, options: Options): Promise<void> {
  const { name, body } = await readAgent(session, given, options);
  const { data } = await (await session.connect()).api
    .POST('/v1/agents', { body: { ...body, name } as NewAgent })
    .catch(refusedOptions(options));
  session.show(data, () => [`${data.name} is new: version ${data.version}.`]);
}

/** Everything that an agent may be without. */
const removable = [
  ...(['model', 'tools', 'mcp', 'skills', 'outputSchema'] as const),
  ...(['proof', 'approve', 'effort', 'maxCredits', 'open'] as const),
];

interface ChangeOptions extends Options {
  enable?: true;
  disable?: true;
  remove?: string;
}

const without = (names: readonly string[]): Schemas['AgentPatch'] =>
  Object.fromEntries(names.map((name) => [name, null]));

function readRemoved({ remove = '' }: ChangeOptions): string[] {
  const names = listOf(remove);
  const unknown = names.find((name) => !removable.some((field) => field === name));
  if (unknown === undefined) return names;
  throw new UsageError(`--remove has ${unknown}, which is none of ${removable.join(', ')}.`);
}

async function update(session: Session, given: string | undefined, options: ChangeOptions): Promise<void> {
  const removed = readRemoved(options);
  const { name, body: said } = await readAgent(session, given, options);
  const switched = (options.enable ?? options.disable) && { enabled: options.enable === true };
  // With a file, the agent is as the file says.
  const absent = options.file === undefined ? [] : removable;
  const body = { ...without(absent), ...said, ...without(removed), ...switched };
  const { data } = await (await session.connect()).api
    .PATCH('/v1/agents/{name}', { ...path(name), body })
    .catch(refusedOptions(options));
  session.show(data, () => [
    `${data.name} is at version ${data.version}${data.enabled ? '' : ', and disabled'}.`,
  ]);
}

const refusedOptions = ({ file }: Options) =>
  throwWithRunOptions(
    { instructions: '--instructions', description: '--description', open: '--open' },
    file !== undefined,
  );

async function remove(session: Session, name: string): Promise<void> {
  await (await session.connect()).api.DELETE('/v1/agents/{name}', path(name));
  session.show({ name }, () => [`${name} is deleted.`]);
}

async function versions(session: Session, name: string, cursor: string | undefined): Promise<void> {
  const { data } = await (await session.connect()).api.GET('/v1/agents/{name}/versions', {
    params: { path: { name }, query: { cursor } },
  });
  session.show(data, () =>
    tableLines(
      [{ head: 'VERSION', right: true }, { head: 'PUBLISHED' }, { head: 'DIGEST' }],
      data.versions.map(({ number, createdAt, digest }) => [String(number), utcTime(createdAt), digest]),
    ),
  );
}

async function restore(session: Session, name: string, number: string): Promise<void> {
  const { data } = await (await session.connect()).api.POST('/v1/agents/{name}/versions/{number}/restore', {
    params: { path: { name, number } },
  });
  session.show(data, () => [`${name} is at version ${data.version}, which is as version ${number} was.`]);
}

const addDefinitionOptions = (command: Command): Command =>
  addRunOptions(
    command
      .option('--file <file>', 'the agent as JSON, as the service takes and shows it; - for stdin')
      .option('--instructions <text>', 'what it is told before every question, or @FILE')
      .option('--description <text>', 'what it is for'),
  ).option('--open <fields>', 'the fields that a run may replace, with commas between them');

export function defineAgents(program: Command, session: Session): void {
  const agents = program
    .command('agent')
    .alias('agents')
    .description('list, create, change and restore stored agents');
  const define = (name: string, description: string, json: string): Command =>
    agents
      .command(name)
      .description(description)
      .addHelpText('after', `\nWith --json: one document, ${json}.`);
  define('list', 'the agents that you can use', '{agents}').action(() => list(session));
  define('show', 'an agent, or one of its versions', 'the agent, or the version')
    .argument('<name>', 'NAME, or NAME@VERSION')
    .action((name: string) => show(session, name));
  addDefinitionOptions(define('create', 'store a new agent', 'the agent'))
    .argument('[name]', 'its name; that in the file if absent')
    .action((name: string | undefined, options: Options) => create(session, name, options));
  addDefinitionOptions(
    define('update', 'change your own agent: another definition is its next version', 'the agent'),
  )
    .argument('[name]', 'its name; that in the file if absent')
    .option('--remove <fields>', 'fields that it is to be without, with commas between them')
    .option('--enable', 'let it be used')
    .option('--disable', 'make it a draft, which you alone can use')
    .addHelpText('after', '\nWith --file, the agent has none of the fields that the file has not.')
    .action((name: string | undefined, options: ChangeOptions) => update(session, name, options));
  define('delete', 'delete your own agent with all its versions', '{name}')
    .argument('<name>', 'the name of the agent')
    .action((name: string) => remove(session, name));
  define('versions', 'what was published of an agent, newest first', '{versions, cursor?}')
    .argument('<name>', 'the name of the agent')
    .option('--cursor <cursor>', 'the `cursor` of the page before, for the next one')
    .action((name: string, { cursor }: { cursor?: string }) => versions(session, name, cursor));
  define('restore', 'publish an earlier version of your own agent again', 'the agent')
    .argument('<name>', 'the name of the agent')
    .argument('<number>', 'the number of the version')
    .action((name: string, number: string) => restore(session, name, number));
}
