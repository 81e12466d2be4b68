import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builds } from '../../support/builds/index.ts';

const program = path.join(await builds.service(), 'errand.mjs');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The JSON documents that were written to stdout, one a line. */
export const linesOf = ({ stdout }: Ended) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** What every colour and movement of a terminal begins with. */
export const controlStart = '\u001b';

interface RunningErrand {
  /** Resolves once the output of both streams has this text; rejects if the process ends without it. */
  says(text: string): Promise<void>;
  type(text: string): void;
  ended: Promise<Ended>;
}

export interface ErrandUser {
  folder: string;
  /** Runs a command with its output piped, and this text piped in. */
  errand(words: readonly string[], input?: string): Promise<Ended>;
  start(words: readonly string[], input?: string): RunningErrand;
  /** Runs a command in a pseudo-terminal, where both streams are one. */
  inTerminal(words: readonly string[]): RunningErrand;
  leave(): Promise<void>;
}

/** With the cache, Node starts in a third of the time. */
const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

function watch(child: ChildProcess): RunningErrand {
  const said = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] = said[name] + text;
      for (const look of waiting) look();
    });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, ...said })));
  return {
    ended,
    type: (text) => void child.stdin?.write(text),
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => (said.stdout + said.stderr).includes(text) && resolve();
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`It never said ${text}: ${said.stdout}${said.stderr}`)));
      }),
  };
}

/** Somebody with a home folder and an environment of their own, who runs `errand`. */
export async function newUser(env: Record<string, string>, node = process.execPath): Promise<ErrandUser> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-user-'));
  const options = {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, HOME: folder, TERM: 'xterm', ...env },
  };
  const start: ErrandUser['start'] = (words, input = '') => {
    const child = spawn(node, [program, ...words], options);
    child.stdin.end(input);
    return watch(child);
  };
  return {
    folder,
    start,
    errand: (words, input) => start(words, input).ended,
    inTerminal: (words) =>
      watch(spawn('script', ['-qec', [node, program, ...words].map(quote).join(' '), '/dev/null'], options)),
    leave: () => rm(folder, { recursive: true }),
  };
}
