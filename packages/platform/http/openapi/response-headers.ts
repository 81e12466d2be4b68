import * as v from 'valibot';
import { limits } from '../../limits.ts';

const { requestsPerWindow, windowSeconds } = limits;

interface HeaderDescription {
  description: string;
  schema: v.GenericSchema;
  example: unknown;
  /** Whether pages of other origins cannot read it. */
  hidden?: true;
}

const text = (description: string, example: string): HeaderDescription => ({
  description,
  schema: v.string(),
  example,
});

const count = (description: string, example: number): HeaderDescription => ({
  description,
  schema: v.pipe(v.number(), v.integer(), v.minValue(0)),
  example,
});

/** The headers of answers that the document describes. Pages of any origin can read them, apart from those that are hidden. */
export const responseHeaders = {
  'X-Request-Id': text(
    'The id of the request: the one that was sent, or a new one.',
    '7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47',
  ),
  'X-TypeSafe-Request-Id': text('The same as `X-Request-Id`.', '7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47'),
  'Request-Id': text('The same as `X-Request-Id`.', '7f0c8a52-6f5e-4f0b-9d0e-3c1f5b8e2a47'),
  'X-Credits-Remaining': text('The balance before the run, in EUR.', '4.98731'),
  'X-Agent': text('The name of the stored agent that the run is by.', 'researcher'),
  'X-Agent-Version': count('The published version of the agent; absent if its definition is none.', 3),
  'X-Agent-Content-Hash': text(
    "SHA-256 of the agent's definition, as lower-case hex.",
    '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  ),
  'X-Skill': text('The name of the skill that shaped the answer.', 'tone'),
  'X-Skill-Injected-Tokens': count("Tokens of the skill's block, by the o200k encoding.", 42),
  'X-Skill-Content-Hash': text(
    "SHA-256 of the skill's instructions, as lower-case hex.",
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  ),
  'X-Skill-Version': count('The published version of the skill; absent if its instructions are none.', 3),
  'RateLimit-Policy': text(
    'Requests in a window, and the seconds of the window.',
    `${requestsPerWindow};w=${windowSeconds}`,
  ),
  'RateLimit-Limit': count('Requests that a window allows.', requestsPerWindow),
  'RateLimit-Remaining': count('Requests that are left in this window.', requestsPerWindow - 1),
  'RateLimit-Reset': count('Seconds until the window ends.', 312),
  'Retry-After': count('Seconds after which to try again.', 5),
  'X-Should-Retry': text("`false` keeps OpenAI's clients from trying again.", 'false'),
  ETag: text('The entity tag of this state of the resource.', '"3-skill_1"'),
  Location: { ...text('Where it can be read.', '/v1/skills/skill_1'), hidden: true },
  'WWW-Authenticate': text(
    'How a key is sent and, to whoever sends the whole of a key that has ended, why it is refused.',
    'Bearer error="invalid_token", error_description="This key was revoked."',
  ),
  Allow: { ...text('The methods that the path takes.', 'GET, HEAD'), hidden: true },
} satisfies Record<string, HeaderDescription>;

/** The headers that pages of other origins may read. */
export const exposedHeaders = Object.entries<HeaderDescription>(responseHeaders)
  .filter(([, { hidden }]) => !hidden)
  .map(([name]) => name);

export type HeaderName = keyof typeof responseHeaders;

/** On every answer. */
export const everyAnswer = ['X-Request-Id'] as const satisfies HeaderName[];

/** On whatever is answered to a known key before anything fails. */
export const rateAnswer = [
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies HeaderName[];

/** On answers to creations of runs by a stored agent. */
export const agentAnswer = [
  'X-Agent',
  'X-Agent-Version',
  'X-Agent-Content-Hash',
] as const satisfies HeaderName[];

/** On answers that a skill has shaped. */
export const skillAnswer = [
  'X-Skill',
  'X-Skill-Injected-Tokens',
  'X-Skill-Content-Hash',
  'X-Skill-Version',
] as const satisfies HeaderName[];
