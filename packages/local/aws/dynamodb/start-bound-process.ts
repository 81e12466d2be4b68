import { spawn } from 'node:child_process';

export interface BoundProcess {
  /** Resolves with how the program ended and what it last wrote to stderr. */
  ended: Promise<string>;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

/**
 * A shell runs the program. The shell's stdin is a pipe whose other end only this process holds. When this process
 * ends, also by SIGKILL, the pipe ends and the shell kills the program. When the program ends, so does the shell. Only
 * this user may read the files that the program makes.
 */
const guard = `
umask 077
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
{ read -r _ <&3; kill -KILL $program; } >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait $program
status=$?
kill -KILL $watcher 2>/dev/null
exit $status
`;

const keptErrorCharacters = 2_000;

/**
 * Starts a program that cannot outlive this process and that Ctrl-C in the terminal does not reach. `stop` sends
 * SIGKILL, because other signals let programs wait for their clients. The program must lose no data by it.
 */
export function startBoundProcess(program: string, programArguments: readonly string[]): BoundProcess {
  const shell = spawn('/bin/sh', ['-c', guard, 'guard', program, ...programArguments], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  });
  let lastErrors = '';
  let isOver = false;
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastErrors = (lastErrors + text).slice(-keptErrorCharacters);
  });
  shell.stdin.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => {
    const end = (how: string) => {
      isOver = true;
      resolve([how, lastErrors.trim()].filter((part) => part !== '').join(': '));
    };
    shell.once('error', (error) => end(error.message));
    shell.once('close', (status, signal) => end(signal ?? `status ${status}`));
  });
  return {
    ended,
    hasEnded: () => isOver,
    async stop() {
      shell.stdin.end();
      await ended;
    },
  };
}
