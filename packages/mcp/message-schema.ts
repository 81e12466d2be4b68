import { described, limits, named, notList, textField } from '@errand/platform';
import * as v from 'valibot';

/* A message: what is checked before the protocol's library reads it, and what the OpenAPI document says of it. */

/** What answers, lines of progress or the log repeat of a message. */
const repeated = (description: string) =>
  described(
    description,
    v.pipe(
      v.string('must be a string'),
      v.maxLength(
        limits.mcpRepeatedCharacters,
        `must have at most ${limits.mcpRepeatedCharacters} characters`,
      ),
    ),
  );

const token = (description: string) =>
  described(description, v.union([repeated(description), v.number()], 'must be a string or a number'));

/** The library walks all fields of these objects. */
const fewFields = <Input extends Record<string, unknown>>() =>
  v.maxEntries<Input, number, string>(
    limits.mcpMessageFields,
    `must have at most ${limits.mcpMessageFields} fields`,
  );

const versionKey = 'io.modelcontextprotocol/protocolVersion';

export const messageParams = v.pipe(
  notList,
  v.looseObject(
    {
      name: v.optional(repeated('Of `tools/call`: the name of the tool.')),
      uri: v.optional(repeated('Of `resources/read`: the address of the resource.')),
      cursor: v.optional(repeated('Of a list: its page. All lists have one.')),
      protocolVersion: v.optional(repeated('Of `initialize`: the version of the protocol.')),
      _meta: v.optional(
        described(
          'What the protocol asks for beside the parameters of the method.',
          v.pipe(
            v.looseObject(
              {
                progressToken: v.optional(token('Asks for lines of progress, which have this token.')),
                [versionKey]: v.optional(repeated('The version of the protocol.')),
              },
              'must be an object',
            ),
            fewFields(),
          ),
        ),
      ),
      arguments: v.optional(
        described(
          'Of `tools/call`: what the tool is called with.',
          v.pipe(v.record(v.string(), v.unknown(), 'must be an object'), fewFields()),
        ),
      ),
    },
    'must be an object',
  ),
  fewFields(),
);

/** The beginning of a message, without which no answer could be told to belong to it. */
const head = {
  method: v.optional(repeated('The method of the protocol, such as `tools/call`.')),
  id: v.optional(v.nullable(token('The id of a request. A notification has none.'))),
};

export const messageHead = v.pipe(v.looseObject(head), fewFields());

export const sentMessage = named(
  'McpRequest',
  v.pipe(
    v.looseObject({
      jsonrpc: described('The version of JSON-RPC.', v.literal('2.0')),
      ...head,
      params: v.optional(described('The parameters of the method.', messageParams)),
    }),
    fewFields(),
  ),
);

export const answeredMessage = named(
  'McpMessage',
  v.looseObject({
    jsonrpc: described('The version of JSON-RPC.', v.literal('2.0')),
    method: v.optional(textField('The method of a line of progress.')),
    id: v.optional(described('The id of the request.', v.nullable(v.union([v.string(), v.number()])))),
    params: v.optional(described('What a line of progress says.', v.record(v.string(), v.unknown()))),
    result: v.optional(described('The answer to a request.', v.record(v.string(), v.unknown()))),
    error: v.optional(
      described(
        'The refusal of a request.',
        v.looseObject({
          code: described('The code of JSON-RPC or of the protocol.', v.number()),
          message: textField('What is wrong, in words.'),
        }),
      ),
    ),
  }),
);
