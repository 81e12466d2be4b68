import { fieldIssue } from '@errand/platform';
import { checkAddress, FetchError, type WebDeps } from '@errand/web';
import type { AgentDefinition } from './definition.ts';

type Web = Pick<WebDeps, 'allowedHosts'>;

/** Throws `invalid_request` for servers of which two have a label, and for an address that is not to be asked. */
export function checkServers(web: Web, mcp: AgentDefinition['mcp'] | null): void {
  const labels = new Set<string>();
  for (const [index, server] of (mcp ?? []).entries()) {
    const label = typeof server === 'string' ? server : server.label;
    if (labels.has(label)) throw fieldIssue(`mcp[${index}]`, 'must have a label of its own');
    labels.add(label);
    if (typeof server !== 'string') checkServerUrl(web, `mcp[${index}].url`, server.url);
  }
}

/** Throws `invalid_request` for the address of a server that is not to be asked. */
export function checkServerUrl(web: Web, field: string, url: string): void {
  try {
    checkAddress(web, url);
  } catch (error) {
    if (error instanceof FetchError) throw fieldIssue(field, `cannot be asked: ${error.message}`);
    throw error;
  }
}
