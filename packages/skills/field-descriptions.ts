import { textParameter } from '@errand/platform';
import { skillFieldErrors } from './field-errors.ts';

/** The header of requests that take `skills`. */
export const skillIfMatch = {
  'If-Match': textParameter(
    'With `skills`: entity tags of the skill, or digests of its instructions in quotes, of which one must be current.',
    '"3-skill_1"',
  ),
};

/** The refusal of a request whose skill is another. */
export const changedSkill = {
  description: 'The skill is not as `If-Match` says.',
  body: skillFieldErrors.skill_changed({ name: 'tone' }).body,
};
