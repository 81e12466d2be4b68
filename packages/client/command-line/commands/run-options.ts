import { type Command, InvalidArgumentError, Option } from 'commander';
import type { NewRun } from '../../runs/start-run.ts';
import { readJson } from '../session/read-files.ts';
import type { Session } from '../session/session.ts';
import { throwWithOptions } from '../shown/failure-words.ts';

/** What runs, agents and schedules have options for: how a run works. */
export interface RunOptions {
  model?: string;
  effort?: NonNullable<NewRun['effort']>;
  maxCredits?: string;
  skill?: string;
  tools?: string;
  mcp?: string[];
  proof?: true;
  approve?: string[];
  schema?: string;
}

type Servers = NonNullable<NewRun['mcp']>;
type Fields = Pick<
  NewRun,
  'model' | 'effort' | 'maxCredits' | 'skills' | 'tools' | 'mcp' | 'proof' | 'approve' | 'outputSchema'
>;

export const listOf = (words: string): string[] => words.split(',').filter(Boolean);

/** Has an option that may be there again. */
export const collect = (word: string, before: string[] = []): string[] => [...before, word];

function readEuros(given: string): string {
  if (/^\d+(\.\d{1,9})?$/.test(given) && Number(given) > 0) return given;
  throw new InvalidArgumentError('It must be an amount of EUR over 0, such as 0.50.');
}

const efforts: NonNullable<NewRun['effort']>[] = ['low', 'medium', 'high'];

/** Gives a command the options for how a run works. */
export const addRunOptions = (command: Command): Command =>
  command
    .option('--model <id>', 'the model that works on the question')
    .addOption(new Option('--effort <level>', 'how careful it is').choices(efforts))
    .option('--max-credits <euros>', 'the most that a run may cost, such as 0.50', readEuros)
    .option('--skill <name>', 'the skill whose instructions it follows')
    .option('--tools <names>', 'the only tools that it may use, with commas between them; "" for none')
    .option(
      '--mcp <server>',
      'a server of tools that it may use: the name under which the operator offers it, or @FILE; again for another',
      collect,
    )
    .option(
      '--approve <rule>',
      'calls that are made only once you allow them: writes, auto, the name of a tool, or !NAME to leave one out; again for another',
      collect,
    )
    .option('--schema <file>', 'a JSON Schema, which the answer is to fit as JSON')
    .option('--proof', 'have the cited claims of the answer checked');

/** The servers of tools that `--mcp` names: by the operator's name, or in a file, which keeps their tokens off the command line. */
async function readServers(session: Session, given: readonly string[]): Promise<Servers> {
  const problem = 'has neither a server of tools nor a list of them as JSON';
  const inFile = async (file: string) =>
    [await readJson(session, file, { problem, takesLists: true })].flat() as Servers;
  const all = await Promise.all(
    given.map(async (word) => (word.startsWith('@') ? inFile(word.slice(1)) : [word])),
  );
  return all.flat();
}

/** The fields that the options give. */
export async function readRunFields(session: Session, options: RunOptions): Promise<Fields> {
  const { model, effort, maxCredits, skill, tools, mcp, proof, approve, schema } = options;
  const problem = 'has no JSON Schema: an object as JSON';
  const outputSchema = schema === undefined ? undefined : await readJson(session, schema, { problem });
  return {
    model: model || undefined,
    effort,
    maxCredits: maxCredits || undefined,
    skills: skill || undefined,
    ...(tools !== undefined && { tools: listOf(tools) as Fields['tools'] }),
    ...(mcp && { mcp: await readServers(session, mcp) }),
    proof,
    approve,
    ...(outputSchema && { outputSchema: outputSchema as Fields['outputSchema'] }),
  };
}

/** Throws a refusal with the names of the options. A field that may have come from a file keeps its own name. */
export const throwWithRunOptions = (more: Record<string, string> = {}, isFromFile = false) =>
  throwWithOptions(
    isFromFile
      ? {}
      : {
          model: '--model',
          effort: '--effort',
          maxCredits: '--max-credits',
          skills: '--skill',
          tools: '--tools',
          mcp: '--mcp',
          approve: '--approve',
          outputSchema: '--schema',
          ...more,
        },
  );
