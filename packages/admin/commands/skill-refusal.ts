import { isDomainError } from '@errand/platform';
import { orRefuse, Refusal } from '../refusal.ts';

/** As `orRefuse`, and also for the error codes of skills. */
export async function orRefuseSkill<T>(work: () => Promise<T>, nameOrId: string): Promise<T> {
  const missing = `There is no skill ${nameOrId}.`;
  try {
    return await orRefuse(work(), missing);
  } catch (error) {
    if (isDomainError(error, 'skill_not_found')) throw new Refusal(missing);
    if (isDomainError(error, 'skill_name_taken'))
      throw new Refusal(`There is already a skill named ${error.details.name} in this scope.`);
    if (isDomainError(error, 'instructions_too_long')) {
      const { limit, actual } = error.details;
      throw new Refusal(`instructions: must have at most ${limit} characters; these have ${actual}`);
    }
    throw error;
  }
}
