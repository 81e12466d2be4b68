import type { KnownTables } from './dynamodb/tables.ts';

/** A command as it leaves the SDK: after marshalling, before it is written as a request. */
export interface Sent {
  /** Its name at AWS, such as `UpdateItem`. */
  command: string;
  // Rules read the members that their commands have, and AWS's types differ by command.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  input: any;
  tables: KnownTables;
}

/** What AWS refuses of a command, in words that name the rule. None for what it takes. */
export type Rule = (sent: Sent) => string[];
