import { nameableTools } from '@errand/agent';
import { fieldIssue } from '@errand/platform';
import type { Item } from '../request/schema.ts';
import { isServer } from './remote-servers.ts';

/** Changes nothing that a run would do. */
const ignored = ['type', 'search_context_size', 'user_location'];

/** The run's tools that a request names. Who may search may open what was found. Throws `invalid_request`. */
export const toRunTools = (tools: readonly Item[]): string[] => [
  ...new Set(
    tools.flatMap((tool, index) => {
      if (isServer(tool)) return [];
      const at = `tools[${index}]`;
      const name = tool.type === 'web_search_preview' ? 'web_search' : tool.type;
      if (typeof name !== 'string' || !nameableTools.some((one) => one === name))
        throw fieldIssue(`${at}.type`, `must be mcp or one of ${nameableTools.join(', ')}`);
      const other = Object.keys(tool).find(
        (field) => !ignored.includes(field) && (tool[field] ?? null) !== null,
      );
      if (other !== undefined) throw fieldIssue(`${at}.${other}`, 'is not taken by runs');
      return name === 'web_search' ? [name, 'web_crawl'] : [name];
    }),
  ),
];
