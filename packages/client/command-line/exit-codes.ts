import { CreditsError, UnauthorizedError } from '../errors.ts';

export const exitCodes = {
  done: 0,
  refused: 1,
  usage: 2,
  unauthorized: 3,
  credits: 4,
  awaitsInput: 5,
  interrupted: 130,
} as const;

export const exitCodesHelp = `
Exit codes:
  0    done
  1    refused, or failed
  2    wrong usage
  3    no key, or a key that the service does not know
  4    no credits left, or the budget of the key is spent, also where that ended a run
  5    the run asks for input, for results of functions, or for approval, and nobody has answered
  130  interrupted with Ctrl-C`;

/** Something that the caller has to write differently. */
export class UsageError extends Error {}

/** No key or no address is known. */
export class NotLoggedInError extends Error {}

/** Ctrl-C. */
export class InterruptedError extends Error {}

/** The work was done, and its outcome is a failure, which has been shown. */
export class FailedError extends Error {
  exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof NotLoggedInError || error instanceof UnauthorizedError) return exitCodes.unauthorized;
  if (error instanceof CreditsError) return exitCodes.credits;
  if (error instanceof InterruptedError) return exitCodes.interrupted;
  return exitCodes.refused;
}
