import type { ClientRequest } from 'node:http';

/**
 * Makes an answer 101, which nobody asks for, an error of the request. Node (24.21) would close the connection, and emit neither a
 * response nor an error.
 */
export function refuseUpgrade(outgoing: ClientRequest): void {
  outgoing.on('upgrade', (_response, socket) => {
    socket.destroy();
    outgoing.emit('error', new Error('101 Switching Protocols'));
  });
}
