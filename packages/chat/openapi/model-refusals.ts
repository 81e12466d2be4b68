import {
  described,
  envelopeSchema,
  jsonContent,
  named,
  type RouteDescription,
  refusalSchema,
  refusalWords,
  stoppingMessage,
  textContent,
  textField,
} from '@errand/platform';
import * as v from 'valibot';

const inAnthropicsWords = named(
  'AnthropicError',
  described(
    "A refusal in Anthropic's envelope, where `anthropic-version` is sent.",
    v.object({
      type: v.literal('error'),
      error: described(
        'The refusal.',
        v.looseObject({
          type: textField('What is wrong, by the status.'),
          message: textField('What is wrong, in words.'),
        }),
      ),
      request_id: textField('The id of the request, as in `Request-Id`.'),
    }),
  ),
);

const example = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: '7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47',
});

const [unauthorized, tooMany] = ['Unauthorized', 'Too many requests, please try again later.'];

/** What any route of models refuses, in the words of either kind of client. */
export const modelRefusals: RouteDescription['responses'] = {
  401: {
    description: 'The key is missing, unknown, revoked or expired.',
    content: {
      ...textContent(unauthorized),
      ...jsonContent(inAnthropicsWords, example('authentication_error', unauthorized)),
    },
    headers: ['WWW-Authenticate'],
  },
  429: {
    description: 'The requests of this window are used up.',
    content: {
      ...textContent(tooMany),
      ...jsonContent(inAnthropicsWords, example('rate_limit_error', tooMany)),
    },
    headers: ['Retry-After'],
  },
  500: {
    description: 'An unexpected failure; a retry may meet it again.',
    content: jsonContent(v.union([refusalSchema, inAnthropicsWords]), { error: 'Internal server error' }),
  },
  503: {
    description: 'A store fails or does not answer, or the server is stopping; retry.',
    content: jsonContent(v.union([refusalSchema, inAnthropicsWords]), { error: stoppingMessage }),
    headers: ['Retry-After'],
  },
};

/** The refusal of a model by its name in the path. */
export const noSuchModel: RouteDescription['responses'] = {
  404: {
    description: 'There is no such model.',
    content: jsonContent(v.union([envelopeSchema, inAnthropicsWords]), {
      error: {
        message: refusalWords.model_not_found({ model: 'nobody', nearest: 'writer' }),
        ...{ type: 'invalid_request_error', param: 'model', code: 'model_not_found' },
      },
    }),
  },
};
