import { limits } from '@errand/platform';

/** A tool as a server lists it. */
export interface ListedTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
}

export interface ListPage {
  tools: readonly ListedTool[];
  nextCursor?: string;
}

/** A schema by the standard that the library takes. */
interface ListPageSchema {
  '~standard': {
    version: 1;
    vendor: string;
    validate(value: unknown): { value: ListPage } | { issues: { message: string }[] };
    types?: { input: unknown; output: ListPage };
  };
}

/**
 * Reads a page of a list, in place of the library's schema: that takes 400 ms for 10,000 tools in one turn, and refuses all
 * of them for one that is wrong. What is no tool is left out.
 */
export const listPage: ListPageSchema = {
  '~standard': {
    version: 1,
    vendor: 'errand',
    validate: (value) =>
      isObject(value) && Array.isArray(value.tools)
        ? { value: readPage(value.tools, value.nextCursor) }
        : { issues: [{ message: 'no list of tools' }] },
  },
};

const readPage = (tools: readonly unknown[], nextCursor: unknown): ListPage => ({
  tools: tools.slice(0, limits.remoteToolsListed).flatMap(readTool),
  ...(typeof nextCursor === 'string' && { nextCursor }),
});

function readTool(value: unknown): ListedTool[] {
  if (!isObject(value) || typeof value.name !== 'string' || !isObject(value.inputSchema)) return [];
  const { name, description, inputSchema } = value;
  if (inputSchema.type !== 'object') return [];
  return [{ name, inputSchema, ...(typeof description === 'string' && { description }) }];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
