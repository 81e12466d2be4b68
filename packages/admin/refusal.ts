import { describeIssue, isDomainError } from '@errand/platform';

/** The command line is valid, but the command cannot be done. The message goes to stderr; the exit status is 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The command line is not valid. The message and a usage line go to stderr; the exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Turns `not_found` into a `Refusal` with the text `notFound`, and `invalid_request` into one that lists the issues. */
export async function orRefuse<T>(work: Promise<T>, notFound: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isDomainError(error, 'not_found')) throw new Refusal(notFound);
    if (isDomainError(error, 'invalid_request'))
      throw new Refusal(error.details.issues.map(describeIssue).join('\n'));
    throw error;
  }
}

export const noAccount = (accountId: string) => `There is no account ${accountId}.`;

export const noOrganisation = (organisationId: string) => `There is no organisation ${organisationId}.`;
