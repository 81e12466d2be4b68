import { type ErrorAnswer, requestError } from '@errand/platform';

/** Matches the path of this name and all paths below it, with or without `/v1` in front. */
const under = (name: string): RegExp => new RegExp(`^(/v1)?/${name}(/|$)`);

const chat = 'chat is POST /v1/chat/completions';
const runs = 'an agent run (POST /v1/agents/runs)';

/** Paths that clients of other services request, and what this service has instead. The first pattern that matches counts. */
const foreignPaths: readonly (readonly [path: RegExp, here: string])[] = [
  [
    /^\/v1\/v1\/systemone(\/|$)/,
    'The path begins with /v1 twice: clients of POST /v1/systemone, such as @typesafe-ai/sdk, take the base URL without /v1.',
  ],
  [
    /^\/v1\/v1(\/|$)/,
    "The path begins with /v1 twice: OpenAI's clients take the base URL with /v1 once, Anthropic's and @typesafe-ai/sdk take it without.",
  ],
  [/^\/systemone(\/|$)/, 'Decisions in the words of System One are POST /v1/systemone.'],
  [/^\/chat\/completions(\/|$)/, 'Chat is POST /v1/chat/completions.'],
  [/^\/embeddings(\/|$)/, 'Embeddings are POST /v1/embeddings.'],
  [/^\/responses(\/|$)/, 'Responses are POST /v1/responses.'],
  [/^\/models(\/|$)/, 'The models are GET /v1/models.'],
  [/^\/decisions(\/|$)/, 'Decisions are POST /v1/decisions.'],
  [under('completions'), `There are no completions of bare prompts here: ${chat}.`],
  [
    under('messages/batches'),
    'There are no batches here: each message is a request of its own, POST /v1/messages.',
  ],
  [/^\/messages(\/|$)/, 'Messages are POST /v1/messages.'],
  [
    under('images'),
    `No images are made here: ${runs} describes the image that it is given, and messages of POST /v1/chat/completions may have images.`,
  ],
  [under('audio'), `There are no audio routes here: ${runs} transcribes its file or its audioUrl.`],
  [under('moderations'), 'There are no moderations here: a decision (POST /v1/systemone) classifies a text.'],
  // `/v1/files/{agentId}/{name}` is a route of ours.
  [
    /^(\/v1)?\/files(\/[^/]*)?$/,
    `There is no Files API here: ${runs} takes a file in its form, or one that was sent by POST /v1/uploads.`,
  ],
  [
    under('conversations'),
    'No conversations are kept here: POST /v1/responses takes previous_response_id, or the whole input.',
  ],
  [
    /^\/v1\/responses\/input_tokens$/,
    'Input is not counted beforehand here: the usage of POST /v1/responses has input_tokens, and GET /v1/models has the context_length of each model.',
  ],
  [
    /^\/v1\/responses\/compact$/,
    'No input is compacted here: a chat model of POST /v1/responses can summarise it.',
  ],
  [under('assistants'), `There are no assistants here: ${runs} works on a question with tools.`],
  [under('threads'), `There are no threads here: ${runs} works on a question with tools.`],
  [under('batches'), `There are no batches here: each completion is a request of its own, and ${chat}.`],
  [
    under('fine_tuning'),
    'No models are tuned here: GET /v1/models lists those that there are, and a skill (POST /v1/skills) instructs them.',
  ],
  [under('vector_stores'), `There are no vector stores here: ${runs} reads the documents that it is given.`],
  [
    under('realtime'),
    'There are no realtime sessions here: POST /v1/chat/completions with "stream": true answers as it writes.',
  ],
];

/** The 404 of a path that other services have, in the form that their clients read; undefined for any other path. */
export function answerForeignPath(path: string): ErrorAnswer | undefined {
  const here = foreignPaths.find(([pattern]) => pattern.test(path))?.[1];
  if (here === undefined) return undefined;
  const needsPrefix = !path.startsWith('/v1/') && !path.startsWith('/systemone');
  const message = needsPrefix ? `${here} The base URL must end in /v1.` : here;
  return { status: 404, body: requestError(message, 'unknown_url') };
}
