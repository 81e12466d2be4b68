import type { ConversationMessage } from '../state.ts';

/** A call of the model, and what it was answered. */
export interface Exchange {
  tool: string;
  /** The JSON that the model wrote. */
  input: string;
  /** Undefined while the call is not answered. */
  result: string | undefined;
}

/** The calls of a conversation, in their order. */
export function exchangesOf(messages: readonly ConversationMessage[]): Exchange[] {
  const byId = new Map<string, Exchange>();
  const all: Exchange[] = [];
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const { id, function: called } of message.tool_calls ?? []) {
        const exchange = { tool: called.name, input: called.arguments, result: undefined };
        byId.set(id, exchange);
        all.push(exchange);
      }
    if (message.role !== 'tool') continue;
    const asked = byId.get(message.tool_call_id);
    if (asked) asked.result = message.content;
  }
  return all;
}

/** What the calls of a tool were answered. */
export const resultsOf = (exchanges: readonly Exchange[], tool: string): string[] =>
  exchanges.flatMap((exchange) => (exchange.tool === tool ? (exchange.result ?? []) : []));
