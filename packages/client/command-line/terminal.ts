import type { ReadStream, WriteStream } from 'node:tty';
import pico from 'picocolors';
import { createHiddenSecrets } from './shown/hidden-secrets.ts';
import type { Part } from './shown/paint.ts';
import { printable } from './shown/printable.ts';

/** The streams and the environment of a process. */
export interface Streams {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadStream | ReadStream;
  stdout: NodeJS.WriteStream | WriteStream;
  stderr: NodeJS.WriteStream | WriteStream;
}

/** Whatever is written is without secrets and, `pass` apart, without control characters: no caller has to think of it. */
export interface Terminal {
  /** Whether a person reads the answers, who sees them as they come. */
  isInteractive: boolean;
  /** Whether a person types. */
  isTypedInto: boolean;
  /** Whether a person sees the progress. */
  showsProgress: boolean;
  width: number;
  stdin: NodeJS.ReadStream;
  /** What the command answers. */
  write(...parts: Part[]): void;
  /** An answer for programs: where a person reads it, it is written as any other. */
  pass(text: string): void;
  /** What goes on meanwhile. */
  note(...parts: Part[]): void;
  /** Takes the last line of the notes back, and begins it with this text. */
  renote(text: string): void;
  /** Remembers a key that must not be shown. */
  hide(secret: string): void;
}

const isTerminal = (stream: { isTTY?: boolean }) => stream.isTTY === true;

const eraseLine = '\r\u001b[K';

export function openTerminal({ env, stdin, stdout, stderr }: Streams): Terminal {
  const wantsColour = !env.NO_COLOR && env.TERM !== 'dumb';
  const secrets = createHiddenSecrets();
  secrets.hide(env.ERRAND_API_KEY ?? '');
  // Without control characters first: one in the midst of a secret would hide it.
  const clean = (text: string) => secrets.without(printable(text));
  const writer = (stream: Streams['stdout']) => {
    const colours = pico.createColors(isTerminal(stream) && wantsColour);
    const shown = (part: Part) =>
      typeof part === 'string' ? clean(part) : colours[part.style](clean(part.text));
    return (...parts: Part[]) => void stream.write(parts.map(shown).join(''));
  };
  // Whoever closes a pipe, as `head` does, has read enough.
  for (const stream of [stdout, stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  const [write, note] = [writer(stdout), writer(stderr)];
  return {
    isInteractive: isTerminal(stdout),
    isTypedInto: isTerminal(stdin),
    showsProgress: isTerminal(stderr) && wantsColour,
    width: stdout.columns || 80,
    stdin: stdin as NodeJS.ReadStream,
    write,
    pass: (text) => (isTerminal(stdout) ? write(text) : void stdout.write(secrets.without(text))),
    note,
    renote: (text) => void stderr.write(`${eraseLine}${clean(text)}`),
    hide: secrets.hide,
  };
}
