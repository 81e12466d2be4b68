import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createScreen } from './screen.ts';
import type { Frame } from './write-svg.ts';

interface Recording {
  /** Types a command at the prompt and shows its output as it comes, until it ends or the output fits `until`. */
  run(command: string, options?: { until?: RegExp }): Promise<string>;
  frames(): Frame[];
  stop(): void;
}

interface RecordingOptions {
  columns: number;
  height: number;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** What is shown in place of the output, such as a key of another length. */
  redact(output: string): string;
}

const readingSeconds = 2.5;
/** Output that comes closer together than this is one frame. */
const frameSeconds = 0.08;
/** A longer wait is cut to this, because viewers would not watch it. */
const longestWaitSeconds = 2;

/** Records commands that run in a pseudo-terminal, which util-linux's `script` makes. */
export function startRecording(options: RecordingOptions): Recording {
  const { columns, height, cwd, env, redact } = options;
  const screen = createScreen(columns, height);
  const frames: Frame[] = [];
  const running: (() => void)[] = [];
  let now = 0;
  const show = (output: string, afterSeconds: number) => {
    now += Math.min(afterSeconds, longestWaitSeconds);
    screen.write(output);
    const frame = { atSeconds: now, rows: structuredClone(screen.rows()) };
    const last = frames.at(-1);
    if (last && now - last.atSeconds < frameSeconds)
      frames[frames.length - 1] = { ...frame, atSeconds: last.atSeconds };
    else frames.push(frame);
  };
  return {
    async run(command, { until } = {}) {
      show(`\x1b[32m$\x1b[0m \x1b[1m${redact(command.replaceAll('\n', '\r\n'))}\x1b[0m`, 0.6);
      show('\r\n', 0.8);
      const child = spawn('script', ['-qefc', command, '/dev/null'], {
        cwd,
        env: { ...env, COLUMNS: String(columns), LINES: String(height), TERM: 'xterm-256color' },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      const kill = () => void process.kill(-child.pid!, 'SIGTERM');
      let output = '';
      let at = performance.now();
      const ended = once(child, 'exit');
      for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
        output += chunk;
        show(redact(chunk), (performance.now() - at) / 1_000);
        at = performance.now();
        if (!until?.test(output)) continue;
        running.push(kill);
        break;
      }
      if (until === undefined) await ended;
      if (!/\n\s*$/.test(output)) show('\r\n', 0);
      now += readingSeconds;
      return output;
    },
    frames: () => frames,
    stop() {
      for (const kill of running) kill();
    },
  };
}
