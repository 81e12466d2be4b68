import type { ReadStream, WriteStream } from 'node:tty';
import pico from 'picocolors';

/** The streams and the environment of a process. */
export interface Streams {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadStream | ReadStream;
  stdout: NodeJS.WriteStream | WriteStream;
  stderr: NodeJS.WriteStream | WriteStream;
}

export type Paint = ReturnType<typeof pico.createColors>;

export interface Terminal {
  /** Whether a person reads the answers, who sees them as they come. */
  isInteractive: boolean;
  /** Whether a person types. */
  isTypedInto: boolean;
  /** Whether a person sees the progress. */
  showsProgress: boolean;
  width: number;
  /** Colours of stdout, and of stderr: none where they are piped or not wanted. */
  paint: Paint;
  paintNotes: Paint;
  stdin: NodeJS.ReadStream;
  /** What the command answers. */
  write(text: string): void;
  /** What goes on meanwhile. */
  note(text: string): void;
}

const isTerminal = (stream: { isTTY?: boolean }) => stream.isTTY === true;

export function openTerminal({ env, stdin, stdout, stderr }: Streams): Terminal {
  const wantsColour = !env.NO_COLOR && env.TERM !== 'dumb';
  // Whoever closes a pipe, as `head` does, has read enough.
  for (const stream of [stdout, stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  return {
    isInteractive: isTerminal(stdout),
    isTypedInto: isTerminal(stdin),
    showsProgress: isTerminal(stderr) && wantsColour,
    width: stdout.columns || 80,
    paint: pico.createColors(isTerminal(stdout) && wantsColour),
    paintNotes: pico.createColors(isTerminal(stderr) && wantsColour),
    stdin: stdin as NodeJS.ReadStream,
    write: (text) => void stdout.write(text),
    note: (text) => void stderr.write(text),
  };
}
