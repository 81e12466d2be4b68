import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { printedCommands } from '../../first-run/read-commands.ts';
import { printTable } from '../figures.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Runs a program to its end in the clone, on the system's Node, as a newcomer does. */
function run(cwd: string, command: string, ...args: string[]): string {
  const done = spawnSync(command, args, {
    cwd,
    env: newcomer,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.error ?? done.stderr}`);
  return done.stdout;
}

/** Without what the process that measures has set, and without this checkout's programs. */
const newcomer: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env)
    .filter(([name]) => !/^(npm_|NODE_|INIT_CWD|MODEL_)/.test(name))
    .map(([name, value]) => [
      name,
      name === 'PATH'
        ? value
            ?.split(':')
            .filter((each) => !each.includes('node_modules'))
            .join(':')
        : value,
    ]),
);

/** Starts the service and resolves with what it printed, when it has. */
async function start(cwd: string): Promise<{ printed: string; stop(): void }> {
  const child = spawn('npm', ['start'], {
    cwd,
    env: { ...newcomer, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let printed = '';
  for await (const line of createInterface({ input: child.stdout })) {
    printed += `${line}\n`;
    if (/^Decide something:/m.test(printed) && line === '') break;
  }
  return { printed, stop: () => void process.kill(-child.pid!, 'SIGTERM') };
}

/** The CPU seconds of all programs that were run to their ends, by Linux's clock of 100 ticks a second. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

interface Step {
  step: string;
  seconds: number;
  cpuSeconds: number;
}

/** Times the way of a newcomer, from `git clone` to the first answer on the screen. */
async function takeTheWay(): Promise<Step[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-clone-'));
  const clone = path.join(folder, 'errand');
  const steps: Step[] = [];
  let at = performance.now();
  let cpuAt = childSeconds();
  const done = (step: string) => {
    steps.push({ step, seconds: (performance.now() - at) / 1_000, cpuSeconds: childSeconds() - cpuAt });
    at = performance.now();
    cpuAt = childSeconds();
  };
  let stop = () => {};
  try {
    run(folder, 'git', 'clone', '--quiet', `file://${root}`, clone);
    done('`git clone`, from the same disk');
    run(clone, 'node', 'scripts/ensure-installed.mjs');
    done('`npm start` installs what is missing (`npm ci`, the project’s Node)');
    run(clone, 'node_modules/.bin/node', 'scripts/build-local.ts');
    done('it builds the threads’ programs and the pages');
    const started = await start(clone);
    stop = started.stop;
    done('it starts the embedded AWS, the API, a worker and the stand-ins, and prints the commands');
    const commands = Object.values(printedCommands(started.printed));
    run(clone, 'bash', '-c', commands[0] ?? '');
    done('the first command: the PDF is read, the run accepted');
    const stream = run(clone, 'bash', '-c', commands[1] ?? '');
    if (!stream.includes('1,284 ships called')) throw new Error('the answer is not about the report');
    done('the second command: the answer is on the screen');
    return steps;
  } finally {
    stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
  }
}

/** The first way warms npm's cache, and is not shown. */
export default async function measure(): Promise<void> {
  await takeTheWay();
  const steps = await takeTheWay();
  const sum = (of: 'seconds' | 'cpuSeconds') => steps.reduce((total, step) => total + step[of], 0);
  const total = {
    step: '**from the clone to the first answer**',
    seconds: sum('seconds'),
    cpuSeconds: sum('cpuSeconds'),
  };
  printTable(
    ['step', 'seconds', 'CPU seconds of programs that ended'],
    [...steps, total].map(({ step, seconds, cpuSeconds }) => [
      step,
      seconds.toFixed(1),
      cpuSeconds.toFixed(1),
    ]),
  );
}
