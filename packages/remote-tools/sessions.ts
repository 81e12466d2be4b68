import type { WebDeps } from '@errand/web';
import { type Connection, connect } from './connection.ts';
import type { RemoteServer } from './server.ts';

/** The sessions of a run with its servers. Each begins when it is first needed, and anew after it has failed. */
export interface Sessions {
  /** Work that was sent to a session that the server has forgotten is done again in a new one, unless it must not be. */
  use<T>(
    server: RemoteServer,
    signal: AbortSignal,
    work: (connection: Connection) => Promise<T>,
    how?: { mayRepeat: boolean },
  ): Promise<T>;
  /** Never throws. */
  close(): Promise<void>;
}

/** The server has forgotten the session of a call that is not made again by itself. */
export class ForgottenSession extends Error {
  override readonly name = 'ForgottenSession';
}

export function createSessions(web: WebDeps): Sessions {
  const open = new Map<string, Promise<Connection>>();
  const closing = new AbortController();
  const begin = (server: RemoteServer): Promise<Connection> => {
    const connecting = connect(web, server, closing.signal);
    open.set(server.label, connecting);
    connecting.catch(() => forget(server, connecting));
    return connecting;
  };
  const forget = ({ label }: RemoteServer, connecting: Promise<Connection>) => {
    if (open.get(label) === connecting) open.delete(label);
  };
  return {
    async use(server, signal, work, { mayRepeat } = { mayRepeat: true }) {
      const connecting = open.get(server.label) ?? begin(server);
      const connection = await unlessAborted(connecting, signal);
      try {
        return await work(connection);
      } catch (error) {
        if (signal.aborted || !connection.isOver(error)) throw error;
        forget(server, connecting);
        if (!connection.isForgotten(error)) throw error;
        if (!mayRepeat) throw new ForgottenSession('forgotten', { cause: error });
        return await work(await unlessAborted(open.get(server.label) ?? begin(server), signal));
      }
    },
    async close() {
      closing.abort();
      const connections = await Promise.allSettled(open.values());
      await Promise.all(
        connections.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)),
      );
    },
  };
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
