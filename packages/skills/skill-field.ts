import { DomainError } from '@errand/platform';

/** A `skills` field: the latest content of a name, or one published version of it. */
export interface SkillReference {
  name: string;
  version?: number;
}

/** A non-empty name, or `{ name, version }` with a positive integer. Other keys are ignored. Throws `skill_param_invalid`. */
export function readSkillField(field: unknown): SkillReference {
  if (isName(field)) return { name: field };
  if (typeof field === 'object' && field !== null && 'name' in field && 'version' in field) {
    const { name, version } = field;
    if (isName(name) && isPositiveInteger(version)) return { name, version };
  }
  throw new DomainError('skill_param_invalid');
}

/** The field's value in a form: a name, or the object as JSON. What begins like an object and is none is invalid. */
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
