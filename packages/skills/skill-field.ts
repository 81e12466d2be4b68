import { DomainError } from '@errand/platform';
import type { Reference } from '@errand/versions';

/** Reads a non-empty name or `{ name, version }`; other keys are ignored. Throws `skill_param_invalid`. */
export function readSkillField(field: unknown): Reference {
  if (isName(field)) return { name: field };
  if (typeof field === 'object' && field !== null && 'name' in field && 'version' in field) {
    const { name, version } = field;
    if (isName(name) && isPositiveInteger(version)) return { name, version };
  }
  throw new DomainError('skill_param_invalid');
}

/** The value of a `skills` field sent in a form: a name, or `{ name, version }` as JSON. Null for invalid JSON. */
export function parseSkillFormField(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isPositiveInteger = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;
