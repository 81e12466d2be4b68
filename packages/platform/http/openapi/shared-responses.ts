import * as v from 'valibot';
import { unresolvedReasons } from '../../errors.ts';
import { commonErrors, internalError, slowBodyMessage } from '../errors.ts';
import { described, textField } from './fields.ts';
import { jsonAnswer, named, type ResponseDescription, textAnswer } from './parts.ts';

/** A refusal in JSON. `code` is there where programs need to tell refusals of one status apart. */
export const refusalSchema = named(
  'ServiceError',
  v.object({
    error: textField('What is wrong, in words.'),
    code: v.optional(textField('What is wrong, for programs; where refusals of one status differ.')),
  }),
);

const nothingLeft = {
  available: v.optional(textField('What is there to pay with, in EUR, if the credits do not suffice.')),
  needed: v.optional(
    textField('What is set aside for such a request, in EUR. Less is enough if it pays for the input.'),
  ),
};

/** The refusal of work that nothing is there to pay for. */
export const unpaidSchema = named('UnpaidError', v.object({ ...refusalSchema.entries, ...nothingLeft }));

/** A refusal in OpenAI's envelope. */
export const envelopeSchema = named(
  'OpenAiError',
  v.object({
    error: described(
      'The refusal.',
      v.object({
        message: textField('What is wrong, in words.'),
        type: textField('`invalid_request_error` if the request caused it, `server_error` if it did not.'),
        param: described('The field of the request that is wrong, if one is.', v.nullable(v.string())),
        code: described('What is wrong, for programs.', v.nullable(v.string())),
        reason: v.optional(described('Why a skill could not be used.', v.picklist(unresolvedReasons))),
      }),
    ),
  }),
);

/** The same in OpenAI's envelope. */
export const unpaidEnvelopeSchema = named(
  'UnpaidOpenAiError',
  v.object({ ...envelopeSchema.entries, ...nothingLeft }),
);

const storeUnavailable: ResponseDescription = {
  name: 'StoreUnavailable',
  ...jsonAnswer(
    'A store fails or does not answer, or the server is stopping; retry.',
    refusalSchema,
    commonErrors.store_unavailable().body,
  ),
  headers: ['Retry-After'],
};

/** Answers of every route that reads a store. */
export const failures: Record<number, ResponseDescription> = {
  500: {
    name: 'InternalError',
    ...jsonAnswer('An unexpected failure; a retry may meet it again.', refusalSchema, internalError.body),
  },
  503: storeUnavailable,
};

/** The answer of every route with a body. */
export const slowBody: Record<number, ResponseDescription> = {
  408: {
    name: 'SlowBody',
    ...textAnswer('The body did not arrive in time. The connection is closed.', slowBodyMessage),
  },
};

/** Answers of every route that asks for a key. */
export const keyRefusals: Record<number, ResponseDescription> = {
  401: {
    name: 'Unauthorized',
    ...textAnswer('The key is missing, unknown, revoked or expired.', 'Unauthorized'),
    headers: ['WWW-Authenticate'],
  },
  429: {
    name: 'RateLimited',
    ...textAnswer('The requests of this window are used up.', 'Too many requests, please try again later.'),
    headers: ['Retry-After'],
  },
};

/** The refusal of a key that may not use a family of routes. */
export const routeForbidden = (route: string): Record<403, ResponseDescription> => ({
  403: textAnswer(`The key may not be used for ${route}.`, `This key may not be used for ${route}.`),
});

/** The refusal of work that nothing is there to pay for. */
export const noCredits: Record<402, ResponseDescription> = {
  402: {
    name: 'NoCredits',
    ...jsonAnswer(
      "No credits are left, or the budget of the key or its organisation's ceiling is spent.",
      unpaidSchema,
      commonErrors.no_credits({ available: '0', needed: '0.0068' }).body,
    ),
    optionalHeaders: ['Retry-After'],
  },
};

/** The answer of a read whose resource is missing, or not the caller's. */
export const notFound = (description: string): Record<404, ResponseDescription> => ({
  404: jsonAnswer(description, refusalSchema, commonErrors.not_found().body),
});
