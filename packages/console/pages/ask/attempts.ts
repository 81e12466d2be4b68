import type { NewRun } from '@errand/client';

/** Starts that may or may not have reached the service: whoever asks the same again asks for the same run. */
interface Attempts {
  /** The key under which this is started once, however often it is asked for. */
  keyOf(input: NewRun, file: File | undefined): string;
  /** The run was started: the same question is a new one now. */
  end(): void;
}

export function createAttempts(): Attempts {
  let last: { written: string; file: File | undefined; key: string } | undefined;
  return {
    keyOf(input, file) {
      const written = JSON.stringify(input);
      if (last?.written !== written || last.file !== file) last = { written, file, key: crypto.randomUUID() };
      return last.key;
    },
    end() {
      last = undefined;
    },
  };
}
