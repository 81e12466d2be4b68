import { EventEmitter } from 'node:events';

export type RunSignal = 'progress' | 'cancel';

/**
 * Tells readers and workers of the same process about a run at once. Between processes nothing is told: there, polls
 * and heartbeats find out. So nothing may depend on a signal but how soon it happens.
 */
export interface RunSignals {
  send(agentId: string, signal: RunSignal): void;
  /** Returns the function that stops listening. */
  listen(agentId: string, signal: RunSignal, listener: () => void): () => void;
}

export function createRunSignals(): RunSignals {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    send: (agentId, signal) => void emitter.emit(`${signal} ${agentId}`),
    listen(agentId, signal, listener) {
      const name = `${signal} ${agentId}`;
      emitter.on(name, listener);
      return () => emitter.off(name, listener);
    },
  };
}
