import type { SQSClient } from '@aws-sdk/client-sqs';
import type { TimedStoreDeps } from '@errand/money';
import type { Clock, Config, Files } from '@errand/platform';

/** The stage or local service that a command acts on. */
export interface Store extends TimedStoreDeps {
  config: Config;
  /** Finds the bucket. Throws `Refusal` if there is none. */
  openFiles(): Promise<Files>;
  /** Finds the queue of webhooks, which are told of the end of a run. Throws `Refusal` if there is none. */
  openWebhookQueue(): Promise<{ sqs: SQSClient; webhookQueueUrl: string }>;
}

/** What a command has that needs neither a stage nor a running service. */
export interface Desk {
  config: Config;
  clock: Clock;
  /** The value of `--stage`. */
  stage: string | undefined;
  /** Writes a line to stderr while the command works. */
  tell(line: string): void;
}

export type OptionSpec = { type: 'string'; required?: true } | { type: 'boolean' };

export type OptionSpecs = Record<string, OptionSpec>;

type Value<S extends OptionSpec> = S extends { type: 'boolean' } ? boolean : string;

type Required<O extends OptionSpecs> = {
  [K in keyof O]: O[K] extends { required: true } ? K : never;
}[keyof O];

export type Values<O extends OptionSpecs> = { [K in Required<O>]: Value<O[K]> } & {
  [K in Exclude<keyof O, Required<O>>]?: Value<O[K]>;
};

/** The result of a command: `json` is printed with `--json`, `lines` without. */
export interface Outcome {
  json: object;
  lines: string[];
  /** The command was done, and what it found makes the exit status 1. */
  failed?: boolean;
}

interface Head<O extends OptionSpecs> {
  /** Noun and verb, such as `key create`, or a verb alone. */
  name: string;
  /** The options and arguments in the usage line. */
  usage: string;
  options: O;
  /** Needs one argument that is not an option: the id of what it acts on. */
  takesId?: true;
  /** Checks options against each other, before the connection is made. Throws `UsageError`. */
  check?(values: Values<O>): void;
}

interface Definition<O extends OptionSpecs> extends Head<O> {
  run(store: Store, values: Values<O>, id: string): Promise<Outcome>;
}

interface DeskDefinition<O extends OptionSpecs> extends Head<O> {
  runAtDesk(desk: Desk, values: Values<O>): Promise<Outcome>;
}

export type Command = Definition<OptionSpecs> | DeskDefinition<OptionSpecs>;

/** Types `run` by the command's own options; the result has the type that all commands share. */
export const defineCommand = <O extends OptionSpecs>(definition: Definition<O>): Command =>
  definition as Definition<OptionSpecs>;

/** As `defineCommand`, for a command that connects to nothing. */
export const defineDeskCommand = <O extends OptionSpecs>(definition: DeskDefinition<O>): Command =>
  definition as DeskDefinition<OptionSpecs>;
