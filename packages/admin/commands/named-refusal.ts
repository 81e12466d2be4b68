import { isDomainError } from '@errand/platform';
import { orRefuse, Refusal } from '../refusal.ts';

/** As `orRefuse`, and also for the error codes of skills and agents. */
export async function orRefuseNamed<T>(
  noun: 'skill' | 'agent',
  work: () => Promise<T>,
  nameOrId: string,
): Promise<T> {
  const missing = `There is no ${noun} ${nameOrId}.`;
  try {
    return await orRefuse(work(), missing);
  } catch (error) {
    if (isDomainError(error, `${noun}_not_found`)) throw new Refusal(missing);
    if (isDomainError(error, `${noun}_name_taken`))
      throw new Refusal(
        `There is already ${noun === 'agent' ? 'an' : 'a'} ${noun} named ${error.details.name} in this scope.`,
      );
    if (isDomainError(error, 'instructions_too_long')) {
      const { limit, actual } = error.details;
      throw new Refusal(`instructions: must have at most ${limit} characters; these have ${actual}`);
    }
    throw error;
  }
}
