import { describeIssue, isDomainError } from '@errand/platform';

/** The command was understood and is not done: the reason goes to stderr, the exit status is 1. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** The command was not understood: a usage line goes to stderr, the exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Says what was not found, and what was wrong with the input, in the operator's words. */
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
