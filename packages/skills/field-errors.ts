import type { ErrorTable, UnresolvedReason } from '@errand/platform';

const shownNameCharacters = 64;

const explanations: Record<UnresolvedReason, string> = {
  unknown: 'no skill of this name is visible to you',
  disabled: 'the skill is disabled',
  unknown_version: 'this version of the skill was never published',
  unversioned: 'the skill has no versions, so that none can be named',
};

const envelope = (code: string, message: string, reason?: UnresolvedReason) => ({
  error: { message, type: 'invalid_request_error', param: 'skills', code, reason },
});

/** The answers of chat completions and runs to a `skills` field that is invalid or cannot be resolved, or to its `If-Match`. */
export const skillFieldErrors = {
  skill_param_invalid: () => ({
    status: 400,
    body: envelope(
      'skill_param_invalid',
      'skills must be the name of a skill, or an object with name and version, a positive integer.',
    ),
  }),
  skill_unresolved: ({ reason, name }) => ({
    status: 400,
    body: envelope('skill_unresolved', `Skill ${quoteName(name)}: ${explanations[reason]}.`, reason),
  }),
  skill_changed: ({ name }) => ({
    status: 412,
    body: envelope('skill_changed', `Skill ${quoteName(name)} is not as If-Match says.`),
  }),
} satisfies Partial<ErrorTable>;

/** The name as a JSON string, cut to 64 characters: the caller may have sent megabytes. */
function quoteName(name: string): string {
  const characters = [...name.slice(0, 2 * shownNameCharacters + 2)];
  const cut = characters.length > shownNameCharacters || name.length > 2 * shownNameCharacters;
  return JSON.stringify(characters.slice(0, shownNameCharacters).join('') + (cut ? '…' : ''));
}
