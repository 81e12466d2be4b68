import {
  cursorField,
  DomainError,
  described,
  fieldIssue,
  flagField,
  limits,
  named,
  numberField,
  skillReasons,
  textField,
  validate,
  wellFormed,
} from '@errand/platform';
import { namePattern } from '@errand/versions';
import * as v from 'valibot';

/** The length in Unicode code points, which is how JSON Schema counts. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const next = text.charCodeAt(i + 1);
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) i++;
    count++;
  }
  return count;
}

const atMost = (limit: number) =>
  v.check(
    (text: string) => countCharacters(text) <= limit,
    `must have at most ${limit.toLocaleString('en')} characters`,
  );

const text = v.string('must be a string');

/** JSON Schema counts code points, too. */
const allows = (limit: number, what = '') =>
  v.metadata<string, { description: string; maxLength: number }>({
    description: `At most ${limit} code points${what}`,
    maxLength: limit,
  });

const nameField = v.pipe(
  text,
  allows(limits.skillNameCharacters, ': letters, digits, hyphens and underscores, a letter or digit first'),
  atMost(limits.skillNameCharacters),
  v.check(
    (name) => namePattern.test(name.slice(0, limits.skillNameCharacters)) && /^[\w-]*$/.test(name),
    'must start with a letter or digit and hold only letters, digits, hyphens and underscores',
  ),
);
const descriptionField = v.pipe(
  text,
  allows(limits.skillDescriptionCharacters),
  atMost(limits.skillDescriptionCharacters),
  wellFormed,
);
const instructionsField = v.pipe(
  text,
  allows(limits.skillInstructionsCharacters),
  v.minLength(1, 'must not be empty'),
  wellFormed,
);

export const newSkillSchema = v.object(
  { name: nameField, description: v.optional(descriptionField), instructions: instructionsField },
  'is required',
);

export const skillPatchSchema = v.object({
  name: v.optional(nameField),
  description: v.optional(descriptionField),
  instructions: v.optional(instructionsField),
  enabled: v.optional(described('Whether the skill may be used.', v.boolean('must be true or false'))),
});

/** No skill has a longer name. */
const skillName = v.pipe(
  v.string(),
  v.minLength(1),
  v.description('The name of the skill.'),
  v.metadata({ maxLength: limits.skillNameCharacters }),
);

/** A `skills` field: a name, or a name with the number of a published version. */
export const skillFieldSchema = named(
  'SkillReference',
  v.pipe(
    v.union([
      skillName,
      v.object({
        name: skillName,
        version: described(
          'The number of a published version.',
          v.pipe(v.number(), v.integer(), v.minValue(1)),
        ),
      }),
    ]),
    v.description('A skill by its name, or one of its published versions.'),
  ),
);

const instructions = textField('What the model is told.');

export const skillSummarySchema = v.object({
  id: v.string(),
  name: textField('The name that requests use.'),
  description: textField('What the skill is for; empty if not given.'),
  enabled: flagField('Whether the skill may be used.'),
  scope: textField(
    "Whose it is: `user`, `organisation` or the operator's, which is called `provider` by default.",
  ),
  version: described(
    'The number of the newest published version; null for a skill without versions.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export const skillDetailSchema = v.object({ ...skillSummarySchema.entries, instructions });
/** The 400 answer to instructions that are too long. */
export const instructionsTooLongSchema = v.object({
  error: described(
    'The refusal.',
    v.object({
      message: textField('What is wrong, in words.'),
      code: textField('What is wrong, for programs.'),
      limit: numberField('The most code points that instructions may have.'),
      actual: numberField('The code points that these have.'),
    }),
  ),
});

/** The 400 answer to a `skills` field that is invalid or cannot be resolved. */
export const skillFieldErrorSchema = v.object({
  error: described(
    'The refusal.',
    v.object({
      message: textField('What is wrong, in words.'),
      type: v.string(),
      param: described('The field that is wrong.', v.literal('skills')),
      code: textField('What is wrong, for programs.'),
      reason: v.optional(described('Why the skill could not be used.', v.picklist(skillReasons))),
    }),
  ),
});

export const skillListSchema = v.object({
  skills: described('By name.', v.array(named('SkillSummary', skillSummarySchema))),
});

const versionSummarySchema = v.object({
  number: numberField('1 for the first version, one higher for each that follows.'),
  digest: textField('SHA-256 of the instructions, as lower-case hex.'),
  createdAt: v.string(),
  tokens: numberField("Tokens of the skill's block, by the o200k encoding."),
});
export const versionDetailSchema = v.object({ ...versionSummarySchema.entries, instructions });
export const versionListSchema = v.object({
  versions: described('Newest first.', v.array(named('SkillVersionSummary', versionSummarySchema))),
  cursor: v.optional(cursorField()),
});

export type NewSkill = v.InferOutput<typeof newSkillSchema>;
export type SkillPatch = v.InferOutput<typeof skillPatchSchema>;

/** Throws `instructions_too_long`, whatever else is wrong, otherwise `invalid_request` with every issue. */
export function validateNewSkill(body: unknown): NewSkill {
  checkBody(body);
  return validate(newSkillSchema, body);
}

/** As `validateNewSkill`, for a patch, which must have at least one field. */
export function validateSkillPatch(body: unknown): SkillPatch {
  checkBody(body);
  const patch = validate(skillPatchSchema, body);
  if (Object.keys(patch).length === 0)
    throw wrongBody('must have at least one of name, description, instructions and enabled');
  return patch;
}

export const wrongBody = (problem: string) => fieldIssue('body', problem);

function checkBody(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw wrongBody('must be a JSON object');
  if (!('instructions' in body) || typeof body.instructions !== 'string') return;
  const limit = limits.skillInstructionsCharacters;
  const actual = countCharacters(body.instructions);
  if (actual > limit) throw new DomainError('instructions_too_long', { limit, actual });
}
