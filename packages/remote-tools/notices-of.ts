import type { ToolNotice } from '@errand/agent';
import { isAllowed, type Listing, type RemoteDefinition } from './define-tools.ts';

/** What is to be told of a server whose tools are not all offered, in words of ours. */
export function noticesOf(
  { server, tools, problem }: Listing,
  definitions: readonly RemoteDefinition[],
): ToolNotice[] {
  const { label } = server;
  const notice = (result: string): ToolNotice[] => [{ toolName: `${label}__list_tools`, result }];
  if (problem !== undefined)
    return notice(`Error: The tools of the server ${label} cannot be listed: ${problem}.`);
  const wanted = tools.filter((tool) => isAllowed(server, tool)).length;
  if (wanted === 0) return notice(`Error: The server ${label} lists no tools that this run may use.`);
  const offered = definitions.filter(
    (definition) => definition.label === label && definition.remoteName !== undefined,
  ).length;
  if (offered === wanted) return [];
  return notice(
    `${wanted - offered} of the ${wanted} tools that the server ${label} lists are not offered: they are more than a run may have, or have names or definitions that models do not take.`,
  );
}
