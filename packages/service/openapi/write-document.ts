import type { Operation, RouteTag } from '@errand/platform';
import { createComponents } from './components.ts';
import { writeOperation } from './write-operation.ts';

/** An operation with its place. The path is written as Hono has it. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: Operation;
}

/** The OpenAPI 3.1 document of operations. */
export function writeDocument(operations: readonly PlacedOperation[]): object {
  const components = createComponents();
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, operation } of operations) {
    const route = toTemplate(path);
    paths[route] = { ...paths[route], [method.toLowerCase()]: writeOperation(components, route, operation) };
  }
  return {
    ...about,
    paths,
    components: { securitySchemes: about.components.securitySchemes, ...components.written() },
  };
}

/** `/v1/pricing/:model{.+}` is `/v1/pricing/{model}` in the document. */
const toTemplate = (path: string): string => path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');

const tags: Record<RouteTag, string> = {
  runs: 'An agent works on one question with tools, then answers. Its events can be followed and replayed.',
  files: 'Files that callers send, and files that runs save.',
  values: 'What runs have saved for the account.',
  skills: 'Named sets of instructions with versions, for chat completions and runs.',
  decisions: 'Questions about a case, answered with a probability for every possible answer.',
  chat: "Chat completions and embeddings as OpenAI's clients ask for them, and the models with their prices.",
  responses: 'The same models, and runs, in the words of the Responses API.',
  messages: "The same models in the words of Anthropic's Messages.",
  webhooks: 'Addresses that are told when runs end.',
  schedules: 'Runs that are started again and again.',
  mcp: 'The service as a tool of other agents.',
  money: 'Credits, their ledger, and what was used.',
  service: 'Health, and this document. They need no key.',
};

/** What the document says beside its operations. */
const about = {
  openapi: '3.1.0',
  info: {
    title: 'Errand',
    version: '0.1.0',
    summary: 'Agent runs, skills, decisions and streaming chat behind one key.',
    description: [
      'Requests carry `Authorization: Bearer <key>` or `x-api-key: <key>`, operations without a key say so.',
      'A request may bring an `X-Request-Id`, and every answer has one.',
      'A client should pass over fields, events and tool names that it does not know.',
      'A known path answers 405 with `Allow` to a method that it does not take, and an unknown path 404.',
      '`HEAD` is answered wherever `GET` is.',
    ].join('\n'),
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The deployment that serves this document.' }],
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  components: {
    securitySchemes: {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: 'A key that the operator has made for an account.',
      },
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: "The same key, as Anthropic's clients send it.",
      },
    },
  },
};
