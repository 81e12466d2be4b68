import { type EmbeddingInput, impactSchema } from '@errand/models';
import {
  boundedList,
  countField,
  described,
  limits,
  named,
  nameOf,
  nullishBoundedText,
  nullishInteger,
  shownAs,
  textField,
} from '@errand/platform';
import * as v from 'valibot';

const text = v.pipe(
  v.string('must be a text, a list of texts, or tokens'),
  v.nonEmpty('must not be empty'),
  v.description('A text.'),
);

const greatestToken = 2 ** 31 - 1;

const token = v.pipe(
  v.number('must be the number of a token'),
  v.integer('must be a whole number'),
  v.minValue(0, 'must be at least 0'),
  v.maxValue(greatestToken, `must be at most ${greatestToken}`),
);

const tokens = boundedList(token, {
  least: 1,
  most: limits.jsonEntries,
  problem: `must have 1 to ${limits.jsonEntries} tokens`,
});

const listOf = <S extends v.GenericSchema>(entry: S) =>
  boundedList(entry, {
    least: 1,
    most: limits.embeddedTexts,
    problem: `must have 1 to ${limits.embeddedTexts} entries`,
  });

const texts = listOf(text);
const tokenLists = listOf(tokens);

/** Each form has problems of its own, with the place of the entry that is wrong. */
const input = shownAs(
  described(
    'What is embedded: a text, the tokens of a text as the model numbers them, or a list of either.',
    v.union([text, texts, tokens, tokenLists]),
  ),
  v.lazy((value) => {
    if (!Array.isArray(value)) return text;
    if (typeof value[0] === 'number') return tokens;
    return Array.isArray(value[0]) ? tokenLists : texts;
  }) as v.GenericSchema<unknown, EmbeddingInput>,
);

/** OpenAI's request. A field that it does not have is refused. */
export const embeddingRequest = v.strictObject(
  {
    model: nameOf('The id of an embedding model of `GET /v1/models`.'),
    input,
    encoding_format: described(
      'How vectors are written: as numbers, which is usual, or as the base64 of 32-bit floats whose least byte is the first.',
      v.nullish(v.picklist(['float', 'base64'], 'must be float or base64')),
    ),
    dimensions: nullishInteger('How many numbers a vector has, where the model can choose.', 1),
    user: nullishBoundedText('A mark of the caller for their own user.'),
  },
  ({ expected, received }) => {
    if (expected === 'never') return 'is not known here';
    return received === 'undefined' ? 'is required' : 'must be an object';
  },
);

export const embeddingList = v.object({
  object: v.literal('list'),
  data: described(
    'A vector for each text, in their order.',
    v.array(
      named(
        'Embedding',
        v.object({
          object: v.literal('embedding'),
          index: countField('The place of its text in `input`, from 0.'),
          embedding: described(
            'The vector, as `encoding_format` says.',
            v.union([v.array(v.number()), v.string()]),
          ),
        }),
      ),
    ),
  ),
  model: textField('The id that was asked for.'),
  usage: described(
    'The tokens that were read.',
    v.object({
      prompt_tokens: countField('All of them.'),
      total_tokens: countField('The same: nothing is written.'),
    }),
  ),
  impact: impactSchema,
});
