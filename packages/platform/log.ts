import { escapeControls } from './printable.ts';

/** Ids, counts, codes and durations. Never a caller's text, a key or an upstream's body. */
export type LogFields = Record<string, string | number | boolean | readonly number[] | undefined>;

export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a log that adds these fields to every line. */
  with(fields: LogFields): Log;
}

/** Writes each entry as one line of JSON, which a terminal may show as it is. */
export function createLog(write: (line: string) => void, base: LogFields = {}): Log {
  const at = (level: string) => (message: string, fields?: LogFields) =>
    write(
      escapeControls(JSON.stringify({ time: new Date().toISOString(), level, message, ...base, ...fields })),
    );
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLog(write, { ...base, ...fields }),
  };
}

export const silentLog: Log = createLog(() => {});

/** What may be logged of an error: name, code and place. Never its message, which may hold a caller's text. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { error: error.name, code: code ?? fullDiskCode(error), frame: firstFrame(error) };
}

/** The embedded DynamoDB says in words alone that its disk is full. */
const fullDiskCode = ({ message }: Error): string | undefined =>
  message.includes('database or disk is full') ? 'ENOSPC' : undefined;

/** The message stands before the frames, may have lines like theirs, and may be a caller's text. */
function firstFrame({ stack = '', message }: Error): string | undefined {
  const at = stack.indexOf(message);
  if (at < 0) return undefined;
  const lines = stack.slice(at + message.length).split('\n');
  return lines.find((line) => line.trimStart().startsWith('at '))?.trim();
}
