import { nameableTools } from '@errand/agent';
import { parseEuro } from '@errand/money';
import {
  atMost,
  boundedText,
  described,
  limits,
  nameOf,
  oneOf,
  remoteLabel,
  repeatRules,
} from '@errand/platform';
import * as v from 'valibot';
import { outputSchemaField } from './output-schema.ts';

/* What a run's creation says of how the run works, and a stored agent says for all its runs. */

const isShortEnough = (url: string) => url.length <= limits.urlCharacters;

/** An address that callers give. */
export const urlField = (description: string) =>
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

const toolsSchema = v.pipe(
  v.array(v.picklist(nameableTools, `must be one of ${nameableTools.join(', ')}`)),
  v.maxLength(limits.remoteToolsPerRun, `must have at most ${limits.remoteToolsPerRun} entries`),
  v.description(
    'The only tools that the run may use; every tool if absent. The files that come with the question are read in any case.',
  ),
);

const isHeader = (text: string) => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text);

export const remoteServerFields = {
  label: v.pipe(
    remoteLabel,
    v.description('The beginning of the names of its tools: `label__tool`. Each server has its own.'),
  ),
  url: urlField('The https address where the server speaks the Model Context Protocol (streamable HTTP).'),
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
};

const remoteServer = v.strictObject(remoteServerFields);

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

/** In `approve`, rules stand beside names. */
export const approveRules = ['writes', 'auto'] as const;

const approveName = boundedText('A tool.', limits.toolNameCharacters);

const approveSchema = v.pipe(
  v.union(
    [
      oneOf(approveRules),
      v.pipe(
        v.array(approveName),
        v.maxLength(limits.remoteToolsPerRun, `must have at most ${limits.remoteToolsPerRun} entries`),
      ),
    ],
    'must be "writes", "auto" or a list of names of tools',
  ),
  v.description(
    'Calls that are made only once you have approved them: of tools by name, as `save_file`, `label__tool` or `label__*`, or `writes`: of every tool that is not known only to read. `!label__tool` leaves one out. With `auto`, a decision model approves those for which the question asks, and is charged; you are asked about the others. A run that needs approval ends as `awaiting_input`, with the calls.',
  ),
);

/** How careful a run is, from the least. */
export const efforts = ['low', 'medium', 'high'] as const;

export type Effort = (typeof efforts)[number];

export const runFields = {
  model: nameOf('The model that works on the question: a chat or vision model that takes tools.'),
  tools: toolsSchema,
  mcp: mcpSchema,
  outputSchema: outputSchemaField,
  proof: v.pipe(
    v.boolean('must be true or false'),
    v.description('Whether a decision model checks the cited claims of the answer. It is charged.'),
  ),
  approve: approveSchema,
  maxCredits: maxCreditsSchema,
  effort: described(
    'How careful the run is. `low`: few rounds, and no proof unless it is asked for. `medium`: as without it. `high`: many rounds, and sub-runs that work on parts of the question beside each other.',
    oneOf(efforts),
  ),
};
