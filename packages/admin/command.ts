import type { TimedStoreDeps } from '@errand/accounts';
import type { Config } from '@errand/platform';

/** What a command acts on. */
export interface Store extends TimedStoreDeps {
  config: Config;
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

/** `json` is the one document of `--json`, `lines` are for people. */
export interface Outcome {
  json: object;
  lines: string[];
}

interface Definition<O extends OptionSpecs> {
  /** Noun and verb, as typed. */
  name: string;
  /** The rest of the line, as the usage shows it. */
  usage: string;
  options: O;
  /** Takes one argument without a dash, such as an id. */
  takesId?: true;
  /** What the options ask of each other: throws `UsageError`, before anything is connected. */
  check?(values: Values<O>): void;
  run(store: Store, values: Values<O>, id: string): Promise<Outcome>;
}

export type Command = Definition<OptionSpecs>;

/** Keeps the options' types for `run`, and forgets them for the table. */
export const defineCommand = <O extends OptionSpecs>(definition: Definition<O>): Command =>
  definition as Definition<OptionSpecs>;
