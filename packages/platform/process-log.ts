import { describeError, type Log } from './log.ts';

const printers = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/**
 * Makes every error and warning of the process a line of the log: what nobody caught, what Node warns of, and what
 * libraries print. After an error that nobody caught the process's state is not known, so `end` is called, which must
 * end the process with status 1.
 */
export function logProcess(log: Log, end: () => void): void {
  // Before all other listeners: Lambda's runtime has some.
  process.prependListener('uncaughtException', (error) => {
    log.error('uncaught exception', describeError(error));
    end();
  });
  process.prependListener('unhandledRejection', (reason) => {
    log.error('unhandled rejection', describeError(reason));
    end();
  });
  // Node's own listener would print the text as well.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn('process warning', describeError(warning)));
  for (const printer of printers) {
    const print = (...values: unknown[]) => {
      const place = new Error('printed');
      Error.captureStackTrace(place, print);
      const error = values.find((value) => value instanceof Error);
      log[printer === 'error' ? 'error' : 'warn']('library message', {
        printer,
        ...describeError(error ?? place),
      });
    };
    console[printer] = print;
  }
}
