import { parseArgs } from 'node:util';
import { type Effort, efforts } from './run-task.ts';
import { type Kind, kinds } from './tasks/task.ts';

export interface Options {
  kinds: readonly Kind[];
  model?: string;
  against?: string;
  tasksAtOnce: number;
  /** How careful runs are to be: each of them in turn. */
  efforts?: readonly Effort[];
  contextTokens?: number;
  /** How long each completion of the policy takes. */
  paceSeconds?: number;
  details: boolean;
  /** With the made embedding model, which services without the role refuse. */
  embeddings: boolean;
  json: boolean;
  /** Decides the mistakes of the policy. */
  seed: string;
  /** Seeds faults and counts those that are seen; only those whose names the pattern matches. */
  mutations: boolean;
  fault?: string;
  /** Files of a real model's answers. */
  record?: string;
  replay?: string;
  /** Only tasks whose id begins with it. */
  task: string;
}

const usage = `usage: npm run eval [-- --only KIND,... --model ID --against DIR --parallel N --effort low,medium,high --context TOKENS --pace SECONDS --embeddings --details --json --seed TEXT --task ID --record FILE --replay FILE]
       npm run eval -- --mutations [--fault PATTERN --against DIR --parallel N --json]
kinds: ${kinds.join(', ')}`;

/** Reads the command line. Throws with the usage. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parse(args);
  const only = known('kind', values.only, kinds);
  const asked = known('effort', values.effort, efforts);
  const tasksAtOnce = wholeNumber('parallel', values.parallel ?? '4');
  return {
    kinds: only.length === 0 ? kinds : only,
    model: values.model,
    against: values.against,
    tasksAtOnce,
    ...(asked.length > 0 && { efforts: asked }),
    ...(values.context !== undefined && { contextTokens: wholeNumber('context', values.context) }),
    ...(values.pace !== undefined && { paceSeconds: wholeNumber('pace', values.pace) }),
    details: values.details ?? false,
    embeddings: values.embeddings ?? false,
    json: values.json ?? false,
    seed: values.seed ?? '1',
    mutations: values.mutations ?? false,
    fault: values.fault,
    record: values.record,
    replay: values.replay,
    task: values.task ?? '',
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: { type: 'string' },
        model: { type: 'string' },
        against: { type: 'string' },
        parallel: { type: 'string' },
        effort: { type: 'string' },
        context: { type: 'string' },
        pace: { type: 'string' },
        details: { type: 'boolean' },
        embeddings: { type: 'boolean' },
        json: { type: 'boolean' },
        seed: { type: 'string' },
        mutations: { type: 'boolean' },
        fault: { type: 'string' },
        record: { type: 'string' },
        replay: { type: 'string' },
        task: { type: 'string' },
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

/** The names of a list that were given, in the order of `all`. */
function known<Name extends string>(what: string, text: string | undefined, all: readonly Name[]): Name[] {
  const given = text?.split(',').filter(Boolean) ?? [];
  const unknown = given.filter((name) => !all.some((one) => one === name));
  if (unknown.length > 0) throw new Error(`no ${what} named ${unknown.join(', ')}\n${usage}`);
  return all.filter((name) => given.includes(name));
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`--${name} must be a whole number over 0\n${usage}`);
  return Number(text);
}
