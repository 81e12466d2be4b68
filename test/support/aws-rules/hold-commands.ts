import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, expect } from 'vitest';
import { learnTables, serviceTables } from './dynamodb/tables.ts';
import { findProblems } from './find-problems.ts';
import { linkProblems } from './s3/links.ts';
import { watchCommands } from './watch-commands.ts';

/** A command that AWS refuses, and that an emulator might take. */
export class AwsRefuses extends Error {
  override readonly name = 'AwsRefuses';
}

const tables = serviceTables();
const broken = new Set<string>();
const refused = new AsyncLocalStorage<true>();

function refuse(command: string, problems: string[]): void {
  if (problems.length === 0 || refused.getStore()) return;
  const error = refusal(`${command}: ${[...new Set(problems)].join('; ')}`);
  const asked = expect.getState().currentTestName ?? 'no test';
  broken.add(`${error.message} (sent ${placeOf(error)}, in: ${asked})`);
  throw error;
}

/** With a stack that reaches to who asked. */
function refusal(message: string): AwsRefuses {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const error = new AwsRefuses(message);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

/** The first line of the stack behind the SDK and what stands around it. */
function placeOf({ stack = '' }: Error): string {
  const lines = stack.split('\n').slice(1);
  const around = /node_modules|node:|test\/support\/[\w/-]+\.ts|platform\/aws/;
  return lines.find((line) => !around.test(line))?.trim() ?? 'at an unknown place';
}

watchCommands(
  (client, command, input) => {
    refuse(command, findProblems(client, { command, input, tables }));
    if (client === 'DynamoDBClient') learnTables(tables, command, input);
  },
  (_, command, url) => refuse(command, linkProblems(url)),
);

/** For what a test sends to see it refused, by an emulator that keeps the rule. */
export const sendRefused = <T>(work: () => Promise<T>): Promise<T> => refused.run(true, work);

/** What the work sends that AWS refuses. It fails no test: for tests of this check. */
export async function holdingBack(work: () => Promise<void>): Promise<string[]> {
  await work();
  return takeBroken();
}

function takeBroken(): string[] {
  const found = [...broken];
  broken.clear();
  return found;
}

/** Fails the test, or the file, in which a command broke a rule of AWS, even if the code took the error. */
export function failRefused(): void {
  const report = () => {
    const found = takeBroken();
    if (found.length > 0) throw new Error(`AWS refuses this:\n${found.join('\n')}`);
  };
  afterEach(report);
  afterAll(report);
}
