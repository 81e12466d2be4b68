import { isFields, limits } from '@errand/platform';
import type { CallToolResult } from '@modelcontextprotocol/client';

/*
 * What is read of a server's answers, in place of the library's schemas: those take 400 ms for a list of 10,000 tools and
 * seconds for a result of thousands of wrong parts, each in one turn, and refuse all for one that is wrong. Here what is
 * wrong is left out.
 */

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  /** Its annotations say that a call can be made again: it changes nothing, or nothing more. */
  isRepeatable?: true;
  /** Its annotations say that a call changes nothing. */
  readsOnly?: true;
}

interface ListPage {
  tools: readonly ListedTool[];
  nextCursor?: string;
}

/** A schema by the standard that the library takes. */
interface AnswerSchema<Output> {
  '~standard': {
    version: 1;
    vendor: string;
    validate(value: unknown): { value: Output } | { issues: { message: string }[] };
    types?: { input: unknown; output: Output };
  };
}

export const listPage: AnswerSchema<ListPage> = {
  '~standard': {
    version: 1,
    vendor: 'errand',
    validate: (value) =>
      isFields(value) && Array.isArray(value.tools)
        ? { value: readPage(value.tools, value.nextCursor) }
        : { issues: [{ message: 'no list of tools' }] },
  },
};

const readPage = (tools: readonly unknown[], nextCursor: unknown): ListPage => ({
  tools: tools.slice(0, limits.remoteToolsListed).flatMap(readTool),
  ...(typeof nextCursor === 'string' && { nextCursor }),
});

function readTool(value: unknown): ListedTool[] {
  if (!isFields(value) || typeof value.name !== 'string' || !isFields(value.inputSchema)) return [];
  const { name, description, inputSchema, annotations } = value;
  if (inputSchema.type !== 'object') return [];
  return [
    {
      name,
      inputSchema,
      ...(typeof description === 'string' && { description }),
      ...(isRepeatable(annotations) && { isRepeatable: true }),
      ...(isFields(annotations) && annotations.readOnlyHint === true && { readsOnly: true }),
    },
  ];
}

/** By the protocol's defaults, a tool that says nothing may change something with each call. */
const isRepeatable = (annotations: unknown): boolean =>
  isFields(annotations) && (annotations.readOnlyHint === true || annotations.idempotentHint === true);

type Part = CallToolResult['content'][number];

/** The result of a tool. */
export const callResult: AnswerSchema<CallToolResult> = {
  '~standard': {
    version: 1,
    vendor: 'errand',
    validate: (value) =>
      isFields(value) && Array.isArray(value.content)
        ? { value: { ...value, isError: value.isError === true, content: value.content.filter(isPart) } }
        : { issues: [{ message: 'no result of a tool' }] },
  },
};

function isPart(value: unknown): value is Part {
  const texts = isFields(value) ? textsOf(value) : [];
  return texts.length > 0 && texts.every((text) => typeof text === 'string');
}

/** The texts that a part must have. None if it is of no known kind. */
function textsOf({ type, text, mimeType, data, uri, resource }: Record<string, unknown>): unknown[] {
  if (type === 'text') return [text];
  if (type === 'image' || type === 'audio') return [mimeType, data];
  if (type === 'resource_link') return [uri];
  if (type !== 'resource' || !isFields(resource)) return [];
  return [resource.uri, 'text' in resource ? resource.text : resource.blob];
}
