import type { SQSClient } from '@aws-sdk/client-sqs';
import type { TimedStoreDeps } from '@errand/money';
import type { Clock, Config, Files } from '@errand/platform';

/** The stage or local service that a command acts on. */
export interface Store extends TimedStoreDeps {
  config: Config;
  /** Finds the bucket. Throws `Refusal` if there is none. */
  openFiles(): Promise<Files>;
  /** Finds the queues by which runs and webhooks are told of the end of a run. Throws `Refusal` if there are none. */
  openQueues(): Promise<{ sqs: SQSClient; queueUrl: string; webhookQueueUrl: string }>;
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

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** The values of options by their flags: `--name <N>` has one, `[--label <L>]` may have one, `[--csv]` is `true` or absent. */
export type Values<Flags extends string> = {
  [F in Flags as F extends `--${infer Name} <${string}` ? Camel<Name> : never]: string;
} & {
  [F in Flags as F extends `[--${infer Name} <${string}` ? Camel<Name> : never]?: string;
} & {
  [F in Flags as F extends `${string} ${string}`
    ? never
    : F extends `[--${infer Name}]`
      ? Camel<Name>
      : never]?: boolean;
};

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
}

/** The result of a command: `json` is printed with `--json`, `lines` without. */
export interface Outcome {
  json: object;
  lines: string[];
  /** True if the command was done, but its findings make the exit status 1. */
  failed?: boolean;
}

interface Head<Flags extends string> {
  /** Noun and verb, such as `key create`, or a verb alone. */
  name: string;
  /** What the usage line calls the id that the command needs. Absent if it needs none. */
  argument?: string;
  /** The flags of the options, in the form that `Values` reads. */
  options?: readonly Flags[];
  /** The flags of which `check` asks for exactly one, in the same form. */
  oneOf?: readonly Flags[];
  /** Checks options against each other, before the connection is made. Throws `UsageError`. */
  check?(values: Values<Flags>): void;
}

interface Definition<Flags extends string> extends Head<Flags> {
  run(store: Store, values: Values<Flags>, id: string): Promise<Outcome>;
}

interface DeskDefinition<Flags extends string> extends Head<Flags> {
  runAtDesk(desk: Desk, values: Values<Flags>): Promise<Outcome>;
}

export type Command = Definition<string> | DeskDefinition<string>;

/** Types `run` by the command's own options; the result has the type that all commands share. */
export const defineCommand = <const Flags extends string = never>(definition: Definition<Flags>): Command =>
  definition as Definition<string>;

/** As `defineCommand`, for a command that connects to nothing. */
export const defineDeskCommand = <const Flags extends string = never>(
  definition: DeskDefinition<Flags>,
): Command => definition as DeskDefinition<string>;
