import { EventEmitter } from 'node:events';

type RunSignal = 'progress' | 'cancel';

/**
 * Tells the readers and workers of this process about a run at once. Other processes learn by polls and heartbeats,
 * so a signal may only make things happen sooner.
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
