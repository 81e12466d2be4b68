import type { ReadStream, WriteStream } from 'node:tty';
import pico from 'picocolors';
import { createHiddenSecrets, type HiddenSecrets } from './shown/hidden-secrets.ts';
import type { Part } from './shown/paint.ts';
import { printable, printableJson } from './shown/printable.ts';

/** The streams and the environment of a process. */
export interface Streams {
  env: Record<string, string | undefined>;
  stdin: NodeJS.ReadStream | ReadStream;
  stdout: NodeJS.WriteStream | WriteStream;
  stderr: NodeJS.WriteStream | WriteStream;
}

/** Removes secrets from all output, and control characters from all but `pass`, so that no caller has to. */
export interface Terminal {
  /** Whether a person reads the answers, who sees them as they come. */
  isInteractive: boolean;
  /** Whether a person types. */
  isTypedInto: boolean;
  /** Whether a person types, and sees what is asked. */
  canAsk: boolean;
  /** Whether a person sees the progress. */
  showsProgress: boolean;
  width: number;
  stdin: NodeJS.ReadStream;
  /** Writes the command's answer. A text that may be the beginning of a key waits for the text after it. */
  write(...parts: Part[]): void;
  /** A document on a line of its own. */
  writeJson(document: unknown): void;
  /** An answer for programs: where a person reads it, it is written as any other. */
  pass(text: string): void;
  /** Writes a note about progress. */
  note(...parts: Part[]): void;
  /** Takes the last line of the notes back, and begins it with this text. */
  renote(text: string): void;
  /** Writes what has waited for more. */
  flush(): void;
  /** Remembers a key that must not be shown. */
  hide(secret: string): void;
}

const isTerminal = (stream: { isTTY?: boolean }) => stream.isTTY === true;

const eraseLine = '\r\u001b[K';

/** Writes to one of the streams. */
function openWriter(stream: Streams['stdout'], secrets: HiddenSecrets, wantsColour: boolean) {
  const colours = pico.createColors(isTerminal(stream) && wantsColour);
  // Without control characters first: one in the midst of a secret would hide it.
  const clean = (text: string) => secrets.without(printable(text));
  const pieces = secrets.inPieces();
  const shown = (part: Part) =>
    typeof part === 'string'
      ? pieces.next(printable(part))
      : pieces.rest() + colours[part.style](clean(part.text));
  const put = (text: string) => void (text && stream.write(text));
  return {
    write: (...parts: Part[]) => put(parts.map(shown).join('')),
    flush: () => put(pieces.rest()),
    /** Begins the last line anew. */
    rewrite: (text: string) => put(`${eraseLine}${clean(text)}`),
  };
}

export function openTerminal({ env, stdin, stdout, stderr }: Streams): Terminal {
  const wantsColour = !env.NO_COLOR && env.TERM !== 'dumb';
  const secrets = createHiddenSecrets();
  secrets.hide(env.ERRAND_API_KEY ?? '');
  // A reader that closes its pipe, as `head` does, has read enough.
  for (const stream of [stdout, stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  const [answers, notes] = [
    openWriter(stdout, secrets, wantsColour),
    openWriter(stderr, secrets, wantsColour),
  ];
  const flush = () => {
    answers.flush();
    notes.flush();
  };
  const write: Terminal['write'] = (...parts) => {
    notes.flush();
    answers.write(...parts);
  };
  return {
    isInteractive: isTerminal(stdout),
    isTypedInto: isTerminal(stdin),
    canAsk: isTerminal(stdin) && isTerminal(stderr),
    showsProgress: isTerminal(stderr) && wantsColour,
    width: stdout.columns || 80,
    stdin: stdin as NodeJS.ReadStream,
    write,
    // A key is looked for before what cuts it in two becomes an escape.
    writeJson: (document) => write(printableJson(secrets.without(JSON.stringify(document))), '\n'),
    pass(text) {
      flush();
      if (isTerminal(stdout)) write(text);
      else stdout.write(secrets.without(text));
    },
    note(...parts) {
      answers.flush();
      notes.write(...parts);
    },
    renote(text) {
      flush();
      notes.rewrite(text);
    },
    flush,
    hide: secrets.hide,
  };
}
