import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Records every address that a client socket of this process tries, as the runtime itself reports it. */
export function watchConnections(): Disposable & { attempts: string[] } {
  const attempts: string[] = [];
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address: string) => attempts.push(address));
  };
  subscribe('net.client.socket', onSocket);
  return { attempts, [Symbol.dispose]: () => unsubscribe('net.client.socket', onSocket) };
}

export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
  return 'no failure';
}
