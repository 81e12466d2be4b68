import { listedTools, nameableTools } from '@errand/agent';
import { parseEuro } from '@errand/money';
import {
  atMost,
  boundedText,
  described,
  hasAtMost,
  limits,
  metadataMap,
  nameOf,
  notList,
  oneOf,
  pageLimit,
  queryText,
  remoteLabel,
  repeatRules,
  textField,
  wholeNumber,
} from '@errand/platform';
import * as v from 'valibot';
import { callFields } from './calls-schema.ts';
import { listedStates } from './lifecycle.ts';
import { outputSchemaField } from './output-schema.ts';

const questionSchema = v.pipe(
  v.string(),
  v.check((text) => text.trim() !== '', 'must not be empty'),
  v.check(
    (text) => hasAtMost(text, limits.questionCharacters),
    `must have at most ${limits.questionCharacters} characters`,
  ),
  v.description('What the run must do.'),
  v.metadata({ minLength: 1, maxLength: limits.questionCharacters }),
);

const isShortEnough = (url: string) => url.length <= limits.urlCharacters;

const url = (description: string) =>
  v.pipe(
    v.string(),
    v.check(isShortEnough, `must have at most ${limits.urlCharacters} characters`),
    // A text that is too long is not parsed.
    v.check(
      (text) => !isShortEnough(text) || ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
      'must be an http or https URL',
    ),
    v.description(description),
    v.metadata({ maxLength: limits.urlCharacters }),
  );

const documentUrlSchema = url(
  'A document or image at a publicly reachable URL. An image is looked at first; a document is read when the model needs it.',
);
const audioUrlSchema = url('A recording of a meeting at a publicly reachable URL. It is transcribed first.');

/** Names that an object of JavaScript cannot hold as plain properties. */
const reserved = ['__proto__', 'constructor', 'prototype'];

const metadataSchema = v.pipe(
  notList,
  v.check(
    (input) => !(input instanceof Object && reserved.some((name) => Object.hasOwn(input, name))),
    `must not have a key named ${reserved.join(' or ')}`,
  ),
  // The store has no attribute without a name.
  v.check((input) => !(input instanceof Object && Object.hasOwn(input, '')), 'must not have an empty key'),
  metadataMap,
  v.description('Kept with the run and returned with it.'),
);

const toolsSchema = v.pipe(
  v.array(v.picklist(nameableTools, `must be one of ${nameableTools.join(', ')}`)),
  v.maxLength(limits.remoteToolsPerRun, `must have at most ${limits.remoteToolsPerRun} entries`),
  v.description(
    'The only tools that the run may use; every tool if absent. The files that come with the question are read in any case.',
  ),
);

const isHeader = (text: string) => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text);

const remoteServer = v.strictObject({
  label: v.pipe(
    remoteLabel,
    v.description('The beginning of the names of its tools: `label__tool`. Each server has its own.'),
  ),
  url: url('The https address where the server speaks the Model Context Protocol (streamable HTTP).'),
  authorization: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.maxLength(
        limits.authorizationCharacters,
        `must have at most ${limits.authorizationCharacters} characters`,
      ),
      v.check(isHeader, 'must be visible ASCII'),
      v.description(
        'What the server is sent as `Authorization`: a token, or a scheme and its value. It is kept until the run ends and never shown.',
      ),
      v.metadata({ minLength: 1, maxLength: limits.authorizationCharacters }),
    ),
  ),
  allowedTools: v.optional(
    v.pipe(
      v.array(boundedText("The server's name of a tool.")),
      v.maxLength(limits.remoteToolsPerRun, `must have at most ${limits.remoteToolsPerRun} entries`),
      v.description("The only tools of it that the run may use, by the server's names; all if absent."),
    ),
  ),
  repeat: v.optional(
    v.pipe(
      oneOf(repeatRules),
      v.description(
        "Whether a call whose outcome is unknown, because its worker ended, is made again. By the tool's own annotations if absent: only a tool that reads alone, or is idempotent, is called again.",
      ),
    ),
  ),
});

const mcpSchema = v.pipe(
  v.array(
    v.union(
      [nameOf('The name of a server that the operator offers.'), remoteServer],
      'must be the name of a server or { label, url, authorization, allowedTools, repeat }',
    ),
  ),
  v.maxLength(limits.remoteServersPerRun, `must have at most ${limits.remoteServersPerRun} entries`),
  v.description('Servers of tools that the run may use beside its own (Model Context Protocol).'),
);

const maxCreditsSchema = v.pipe(
  v.string(),
  atMost(limits.markCharacters),
  v.check((text) => (parseEuro(text) ?? 0) > 0, 'must be an amount of EUR over 0, such as "0.50"'),
  v.description('The most that the run may cost, in EUR. It then answers with what it has.'),
  v.metadata({ pattern: '^\\d+(\\.\\d{1,9})?$' }),
);

/** The input of a run, as JSON. The form, the OpenAPI document and the listing are made from it. Unknown fields are ignored. */
export const createRunSchema = v.object({
  // Required, but where the run before tells what to do. `readFollowed` checks it.
  question: v.optional(questionSchema),
  documentUrl: v.optional(documentUrlSchema),
  audioUrl: v.optional(audioUrlSchema),
  uploadId: v.optional(
    nameOf('An upload made with POST /v1/uploads, in place of a file.', limits.parameterCharacters),
  ),
  // A name or { name, version }. The skills package checks it, because its refusals have an envelope of their own.
  skills: v.optional(v.unknown()),
  metadata: v.optional(metadataSchema),
  tools: v.optional(toolsSchema),
  mcp: v.optional(mcpSchema),
  maxCredits: v.optional(maxCreditsSchema),
  previousRunId: v.optional(
    nameOf(
      'An earlier run of the same key, which has ended. This one goes on from what it asked, answered and read. Without a question it carries on with what the other was at.',
      limits.parameterCharacters,
    ),
  ),
  ...callFields,
  outputSchema: v.optional(outputSchemaField),
  model: v.optional(nameOf('The model that works on the question: a chat or vision model that takes tools.')),
  proof: v.optional(
    v.pipe(
      v.boolean('must be true or false'),
      v.description('Whether a decision model checks the cited claims of the answer. It is charged.'),
    ),
  ),
  webhookUrl: v.optional(
    url(
      "An https address that is told of the run's end, beside the key's webhooks. The key's oldest webhook signs it.",
    ),
  ),
});

export type CreateRunBody = v.InferOutput<typeof createRunSchema>;

/** A body whose question is known: its own, or that of the run that it goes on from. */
export type RunBody = CreateRunBody & { question: string; continues?: true };

export const listQuerySchema = v.object({
  limit: pageLimit(),
  cursor: queryText,
  thread: queryText,
  status: v.optional(v.picklist(listedStates, `must be one of ${listedStates.join(', ')}`)),
  search: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => hasAtMost(text, limits.runSearchCharacters),
        `must have at most ${limits.runSearchCharacters} characters`,
      ),
    ),
  ),
});

export const eventsQuerySchema = v.object({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0),
  limit: pageLimit(limits.pageEntries),
});

/** The fields that the listing of agents shows. */
export const listedFields = ['question', 'documentUrl', 'audioUrl'] as const;

const inputField = described(
  'A field of the input.',
  v.object({ type: v.literal('string'), description: textField('What the field is for.') }),
);

export const agentListingSchema = v.object({
  agents: described(
    'Every agent.',
    v.array(
      v.object({
        id: v.string(),
        displayName: textField('The name to show.'),
        description: textField('What the agent does.'),
        tools: described('The tools that it has.', v.array(v.picklist(listedTools))),
        input: described(
          'The fields of a run, as JSON Schema has them.',
          v.object({
            type: v.literal('object'),
            properties: described(
              'The fields by their names.',
              v.object(v.entriesFromList(listedFields, inputField)),
            ),
            required: described('The fields that a run must have.', v.array(v.literal('question'))),
          }),
        ),
      }),
    ),
  ),
});

export type AgentListing = v.InferOutput<typeof agentListingSchema>;

export const serverListingSchema = v.object({
  servers: described(
    'In the order of the catalogue.',
    v.array(
      v.object({
        name: textField('What `mcp` of a run names, and the beginning of the names of its tools.'),
        allowedTools: v.optional(described('The only tools of it that are offered.', v.array(v.string()))),
      }),
    ),
  ),
});
