import { setImmediate } from 'node:timers/promises';

let turnsAsked = Promise.resolve();

/**
 * Resolves in a turn of the event loop that nobody else gets from here: many large texts that are whole at the same time
 * would else be worked on in one.
 */
export function ownTurn(): Promise<void> {
  turnsAsked = turnsAsked.then(() => setImmediate());
  return turnsAsked;
}
