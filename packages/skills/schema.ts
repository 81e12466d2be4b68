import {
  cursorField,
  DomainError,
  described,
  limits,
  named,
  numberField,
  textField,
  unresolvedReasons,
  validate,
  wellFormed,
} from '@errand/platform';
import {
  allows,
  countCharacters,
  descriptionField,
  enabledField,
  nameField,
  requireChange,
  requireObject,
  summaryFields,
} from '@errand/versions';
import * as v from 'valibot';

const instructionsField = v.pipe(
  v.string('must be a string'),
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
  enabled: v.optional(enabledField('skill')),
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

export const skillSummarySchema = v.object(summaryFields('skill', 'What the skill is for'));
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
      param: described('The field that is wrong.', v.picklist(['skills', 'agent'])),
      code: textField('What is wrong, for programs.'),
      reason: v.optional(
        described('Why the skill, or the agent, could not be used.', v.picklist(unresolvedReasons)),
      ),
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
  requireChange(patch, 'name, description, instructions and enabled');
  return patch;
}

function checkBody(body: unknown): void {
  requireObject(body);
  if (!('instructions' in body) || typeof body.instructions !== 'string') return;
  const limit = limits.skillInstructionsCharacters;
  const actual = countCharacters(body.instructions);
  if (actual > limit) throw new DomainError('instructions_too_long', { limit, actual });
}
