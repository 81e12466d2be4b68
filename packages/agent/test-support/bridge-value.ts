import { readSchema, type SchemaText } from '@errand/outputs';
import { parseOrderedJson } from '@errand/platform';
import * as v from 'valibot';
import type { AgentInput } from '../conversation.ts';
import { defineTool } from '../tool.ts';
import type { Scripted } from './scripted-agent.ts';

/** A caller's schema, as its run has it. */
export function schemaOf(json: object): SchemaText {
  const read = readSchema(parseOrderedJson(JSON.stringify(json)).value);
  if ('issue' in read) throw new Error(JSON.stringify(read.issue));
  return read.schema;
}

/** A run that answers with a value. */
export const bridgeInput: AgentInput = {
  question: 'How long is the Iron Bridge?',
  outputSchema: schemaOf({
    type: 'object',
    properties: {
      name: { type: 'string', description: 'The name of the bridge' },
      metres: { type: ['number', 'null'], description: 'Its length in metres' },
      10: { type: 'integer' },
      open: { type: 'boolean' },
    },
    required: ['name', 'metres'],
  }),
};

/** What its model reads. */
export const page = defineTool({
  name: 'page',
  description: 'Reads a page.',
  parameters: v.object({}),
  timeoutMilliseconds: 1_000,
  sends: 'nothing',
  run: async () => ({
    text: 'The Iron Bridge is 60 m long.',
    isOutside: true,
    cited: {
      sources: [{ kind: 'page', url: 'https://bridge.test', snippet: 'The Iron Bridge is 60 metres long.' }],
      text: ([number]) => `[${number}] The Iron Bridge is 60 metres long.`,
    },
  }),
});

export const readPage: Scripted = { calls: [['page', {}]] };
export const found: { text: string } = { text: 'It is 60 m long [1].' };
export const written = (value: object, sources = [{ pointer: '', numbers: [1] }]): string =>
  JSON.stringify({ value, sources });
export const bridge = { name: 'Iron Bridge', metres: 60 };
export const right: { text: string } = { text: written(bridge) };
export const wrong: { text: string } = { text: written({ name: 'Iron Bridge', metres: '60' }) };
