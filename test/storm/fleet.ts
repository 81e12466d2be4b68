import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { delay } from '@errand/platform';
import { builds } from '../support/builds/index.ts';

export type PartName = 'aws' | 'api' | 'worker';

/** The service in parts, each in a process of its own that is started again whenever it ends. */
export interface Fleet {
  /** The APIs that serve at the moment. */
  baseUrls(): string[];
  /** Ends one process of this part, if one runs. */
  end(part: PartName, signal: 'SIGKILL' | 'SIGTERM'): void;
  /** Ends every process, then goes on with the clock set to another time. */
  setClock(shiftMilliseconds: number): Promise<void>;
  admin<T>(...line: string[]): Promise<T>;
  /** Resolves when every part runs. */
  whole(): Promise<void>;
  /** Lines on stderr that are neither a log line nor a known reason for an end. */
  strayLines: string[];
  /** Log lines of charges that stand nowhere but in the log. */
  lostCharges: string[];
  /** How often each end was seen: `worker SIGKILL`, `api 0`. */
  ends: Map<string, number>;
  /** By run, the ends of the processes that were at work on it: `SIGKILL`, `0`. */
  endsAtWork: Map<string, string[]>;
  /** Asks every process to end, and resolves when all have. */
  stop(): Promise<void>;
}

interface Member {
  part: PartName;
  child: ChildProcess | undefined;
  /** Whether it reported that it is running. */
  ready: boolean;
  baseUrl: string | undefined;
}

const program = async (name: 'local' | 'admin') => [
  '--import',
  path.join(import.meta.dirname, 'shifted-clock.ts'),
  path.join(await builds.service(), `${name}.mjs`),
];
const restartMilliseconds = 200;
const pollMilliseconds = 50;
const knownReasons =
  /^(The embedded (AWS|DynamoDB)|The store of|The disk of|Nothing serves the data folder|Stopping)/;

export function startFleet(env: Record<string, string>, parts: readonly PartName[]): Fleet {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  let shift = 0;
  let stopping = false;
  let paused = false;
  const strayLines: string[] = [];
  const lostCharges: string[] = [];
  const ends = new Map<string, number>();
  const endsAtWork = new Map<string, string[]>();
  const members: Member[] = parts.map((part) => ({
    part,
    child: undefined,
    ready: false,
    baseUrl: undefined,
  }));
  const aws = members.find(({ part }) => part === 'aws')!;
  const environment = () => ({
    PATH,
    NODE_COMPILE_CACHE,
    PORT: '0',
    RATE_LIMIT_REQUESTS: '1000000',
    STORM_CLOCK_MILLISECONDS: String(shift),
    ...env,
  });

  async function live(member: Member): Promise<void> {
    const words = [...(await program('local')), '--only', member.part];
    const child = spawn(process.execPath, words, {
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    member.child = child;
    const atWork = new Set<string>();
    createInterface(child.stdout).on('line', (line) => {
      const said = /^Errand(?:'s \w+)? is running(?: at (\S+))?/.exec(line);
      if (!said) return;
      member.ready = true;
      member.baseUrl = said[1];
    });
    createInterface(child.stderr).on('line', (line) => {
      if (line.includes('"message":"charge not')) lostCharges.push(`${member.part}: ${line}`);
      noteWork(atWork, line);
      if (!line.startsWith('{') && !knownReasons.test(line)) strayLines.push(`${member.part}: ${line}`);
    });
    const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
    Object.assign(member, { child: undefined, ready: false, baseUrl: undefined });
    const how = String(status ?? signal);
    const end = `${member.part} ${how}`;
    ends.set(end, (ends.get(end) ?? 0) + 1);
    for (const run of atWork) endsAtWork.set(run, [...(endsAtWork.get(run) ?? []), how]);
  }

  async function keep(member: Member): Promise<void> {
    while (!stopping) {
      if (!paused && (member === aws || aws.ready)) await live(member);
      await delay(restartMilliseconds);
    }
  }

  const running = () => members.filter(({ child }) => child !== undefined);
  const until = async (holds: () => boolean) => {
    while (!holds()) await delay(pollMilliseconds);
  };
  const lives = members.map(keep);
  const killAll = () => {
    for (const { child } of running()) child?.kill('SIGKILL');
  };
  process.once('exit', killAll);

  return {
    strayLines,
    lostCharges,
    ends,
    endsAtWork,
    baseUrls: () => members.flatMap(({ baseUrl }) => baseUrl ?? []),
    end(part, signal) {
      const candidates = members.filter((one) => one.part === part && one.ready);
      candidates[Math.floor(Math.random() * candidates.length)]?.child?.kill(signal);
    },
    async setClock(shiftMilliseconds) {
      paused = true;
      killAll();
      await until(() => running().length === 0);
      shift = shiftMilliseconds;
      paused = false;
    },
    async admin(...line) {
      const words = [...(await program('admin')), ...line, '--json'];
      return new Promise((resolve, reject) => {
        execFile(
          process.execPath,
          words,
          { env: environment(), maxBuffer: 2 ** 28 },
          (error, stdout, stderr) => {
            if (stdout === '') reject(error ?? new Error(stderr));
            else resolve(JSON.parse(stdout));
          },
        );
      });
    },
    whole: () => until(() => members.every(({ ready }) => ready)),
    async stop() {
      stopping = true;
      // The others need AWS to end in order.
      for (const { child } of members.filter((one) => one !== aws)) child?.kill('SIGTERM');
      await until(() => running().every((one) => one === aws));
      aws.child?.kill('SIGTERM');
      await Promise.all(lives);
      process.off('exit', killAll);
    },
  };
}

/** Keeps which runs a worker is at work on, by its log. */
function noteWork(atWork: Set<string>, line: string): void {
  const [, message] = /"message":"run (claimed|worked on)"/.exec(line) ?? [];
  if (message === undefined) return;
  const { agentId } = JSON.parse(line) as { agentId: string };
  if (message === 'claimed') atWork.add(agentId);
  else atWork.delete(agentId);
}
