import type { ToolNotice } from '@errand/agent';
import { limits } from '@errand/platform';
import type { ListedTool } from './answers.ts';
import { type RemoteServer, withoutSecrets } from './server.ts';

/** A tool as the model is offered it. */
export interface RemoteDefinition {
  name: string;
  label: string;
  /** The server's name for the tool. Absent on the placeholder for a server whose tools could not be listed. */
  remoteName?: string;
  description: string;
  parameters: Record<string, unknown>;
  /** Absent on tools that act, and in what earlier releases kept. */
  isRepeatable?: true;
  /** Absent on tools that may write, and in what earlier releases kept. */
  readsOnly?: true;
}

/** The tools that a server listed, or the reason if the server could not be asked. */
export interface Listing {
  server: RemoteServer;
  tools: readonly ListedTool[];
  problem?: string;
}

const validName = /^[a-zA-Z0-9_-]{1,64}$/;

/** A placeholder for a server without tools, from which the model and the run's readers learn why. */
const asking = ({ label }: RemoteServer): RemoteDefinition => ({
  name: `${label}__list_tools`,
  label,
  description: `The tools of the server ${JSON.stringify(label)} could not be listed. Asks it again, and says what is wrong.`,
  parameters: { type: 'object', properties: {} },
  readsOnly: true,
});

/**
 * Takes what fits the limits and the model's context, in the order of the servers and of their lists. Names that are taken,
 * or that providers do not accept, are left out.
 */
export function defineTools(listings: readonly Listing[], contextTokens: number): RemoteDefinition[] {
  // A definition has at least three bytes a token, so that all of them take a third of the context at most.
  const mostBytes = Math.min(limits.remoteDefinitionsBytes, contextTokens);
  const offered = listings.map(offeredOf);
  const silent = listings.filter((_, i) => offered[i]?.length === 0).map(({ server }) => asking(server));
  const names = new Set<string>();
  let bytes = 0;
  return [...silent, ...offered.flat()].filter((definition) => {
    const { name, description, parameters } = definition;
    if (names.has(name) || names.size >= limits.remoteToolsPerRun) return false;
    const size = Buffer.byteLength(JSON.stringify({ name, description, parameters }));
    if (bytes + size > mostBytes) return false;
    bytes += size;
    names.add(name);
    return true;
  });
}

const isAllowed = ({ allowedTools }: RemoteServer, { name }: ListedTool): boolean =>
  !allowedTools || allowedTools.includes(name);

function offeredOf({ server, tools }: Listing): RemoteDefinition[] {
  return tools.flatMap((tool) => {
    const name = `${server.label}__${tool.name}`;
    if (!validName.test(name) || withoutSecrets(server, name) !== name) return [];
    if (!isAllowed(server, tool)) return [];
    const { $schema: _, ...parameters } = tool.inputSchema;
    const shown = shownValue(server, {
      description: tool.description ?? '',
      parameters: { properties: {}, ...parameters },
    });
    if (!isDefinition(shown)) return [];
    // A secret in a number or a name cannot be masked.
    const text = JSON.stringify(shown);
    if (withoutSecrets(server, text) !== text) return [];
    const { isRepeatable, readsOnly } = tool;
    return {
      name,
      label: server.label,
      remoteName: tool.name,
      ...shown,
      ...(isRepeatable && { isRepeatable }),
      ...(readsOnly && { readsOnly }),
    };
  });
}

type Shown = Pick<RemoteDefinition, 'description' | 'parameters'>;

const isDefinition = (value: unknown): value is Shown => value !== undefined;

/** Providers refuse deeper schemas, and the stack ends at some depth. */
const mostLevels = 32;

/** A value as a model may be shown it: its texts without secrets, and without halves of characters. Undefined if it is too deep. */
function shownValue(server: RemoteServer, value: unknown, levels = mostLevels): unknown {
  if (typeof value === 'string') return withoutSecrets(server, value).toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return undefined;
  const entries = Object.entries(value).map(
    ([name, inner]) => [name.toWellFormed(), shownValue(server, inner, levels - 1)] as const,
  );
  if (entries.some(([, inner]) => inner === undefined)) return undefined;
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** The notice about a server whose tools are not all offered, in our own words. */
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
