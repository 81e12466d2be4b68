import { described, named, textField } from '@errand/platform';
import * as v from 'valibot';

const errorType = textField(
  'What is wrong, by the status: `invalid_request_error`, `authentication_error`, `billing_error`, `permission_error`, `not_found_error`, `conflict_error`, `request_too_large`, `timeout_error`, `rate_limit_error`, `api_error` or `overloaded_error`.',
);

export const errorFields = described(
  'The refusal.',
  v.looseObject({
    type: errorType,
    message: textField('What is wrong, in words.'),
    code: v.optional(textField('What is wrong, for programs, by the names that chat completions have.')),
    available: v.optional(textField('What is there to pay with, in EUR, if the credits do not suffice.')),
    needed: v.optional(
      textField('What is set aside for such a request, in EUR. Less is enough if it pays for the input.'),
    ),
  }),
);

/** A refusal in the protocol's envelope. */
export const messagesError = named(
  'MessagesError',
  v.object({
    type: v.literal('error'),
    error: errorFields,
    request_id: textField('The id of the request, as in `Request-Id`.'),
  }),
);
