import type { BroughtTools, Tool, ToolNotice } from '@errand/agent';
import { type Log, limits } from '@errand/platform';
import type { WebDeps } from '@errand/web';
import { callTool, listAgain, listProblem } from './call-tool.ts';
import type { Called } from './connection.ts';
import { defineTools, type Listing, noticesOf, type RemoteDefinition } from './define-tools.ts';
import { type RemoteServer, secretTexts } from './server.ts';
import { createSessions, type Sessions } from './sessions.ts';

interface RemoteToolsDeps {
  web: WebDeps;
  runId: string;
  log: Log;
  /** Where the run keeps the list of its tools. */
  kept: {
    read(signal: AbortSignal): Promise<string | undefined>;
    keep(text: string): Promise<void>;
  };
  /** The context of the model that reads the definitions. */
  contextTokens: number;
}

/** The tools of these servers. They are listed once for a run: whoever works on it later reads what was kept. */
export function remoteTools(deps: RemoteToolsDeps, servers: readonly RemoteServer[]): BroughtTools {
  const sessions = createSessions(deps.web);
  return {
    secrets: servers.flatMap(secretTexts),
    async open(signal) {
      const kept = await deps.kept.read(signal);
      const { definitions, notices } =
        kept === undefined ? await listAll(deps, sessions, servers, signal) : parse(kept);
      if (kept === undefined) await deps.kept.keep(JSON.stringify({ definitions, notices }));
      const tools = definitions.flatMap((definition) => {
        const server = servers.find(({ label }) => label === definition.label);
        return server ? [toTool(deps, sessions, server, definition)] : [];
      });
      return { tools, notices };
    },
    close: sessions.close,
  };
}

/** What a run keeps of its servers. */
interface Listed {
  definitions: RemoteDefinition[];
  notices: ToolNotice[];
}

const parse = (kept: string) => JSON.parse(kept) as Listed;

async function listAll(
  { log, contextTokens }: RemoteToolsDeps,
  sessions: Sessions,
  servers: readonly RemoteServer[],
  signal: AbortSignal,
): Promise<Listed> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(limits.remoteListMilliseconds)]);
  const listings = await Promise.all(
    servers.map((server) =>
      sessions
        .use(server, within, (connection) => connection.list(within))
        .then(
          (tools): Listing => ({ server, tools }),
          (error: unknown): Listing => ({ server, tools: [], problem: listProblem(error) }),
        ),
    ),
  );
  signal.throwIfAborted();
  const silent = listings.filter(({ tools }) => tools.length === 0).length;
  if (silent > 0) log.warn('remote tools not listed', { servers: silent });
  const definitions = defineTools(listings, contextTokens);
  return { definitions, notices: listings.flatMap((listing) => noticesOf(listing, definitions)) };
}

function toTool(
  { runId }: RemoteToolsDeps,
  sessions: Sessions,
  server: RemoteServer,
  definition: RemoteDefinition,
): Tool {
  const { name, description, parameters, remoteName } = definition;
  // Listing is ours. What repeats is not what reads: a server may say that writing twice is harmless.
  const readsOnly = remoteName === undefined || definition.readsOnly === true;
  const acts = remoteName !== undefined && !mayRepeat(server, definition);
  return {
    name,
    description,
    parameters: { jsonSchema: parameters },
    timeoutMilliseconds: limits.toolMilliseconds,
    acts,
    readsOnly,
    sends: (args) => ({ message: messageOf(args) }),
    run(args, input) {
      if (remoteName === undefined) return listAgain(sessions, server, input.signal);
      const key = `${runId}-${input.callKey}`;
      const called = { key, name: remoteName, args: args as Called['args'], inputSchema: parameters, acts };
      return callTool(sessions, server, called, input);
    },
  };
}

const mayRepeat = ({ repeat }: RemoteServer, { isRepeatable }: RemoteDefinition): boolean =>
  repeat === undefined ? isRepeatable === true : repeat === 'always';

/** The arguments as they are sent, and their texts and names in a row: a secret may be spread over several. */
export const messageOf = (args: unknown): string =>
  [JSON.stringify(args), textsOf(args).join(''), namesOf(args).join('')].join('\n');

const isComposed = (value: unknown): value is object => typeof value === 'object' && value !== null;

const textsOf = (value: unknown): string[] =>
  isComposed(value) ? Object.values(value).flatMap(textsOf) : [String(value)];

const namesOf = (value: unknown): string[] =>
  isComposed(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesOf(inner)]) : [];
