import OpenAI from 'openai';
import { agentTools } from '../decide.ts';

interface Turn {
  content: string | null;
  calls: { tool: string; input: Record<string, unknown> }[];
}

type Messages = OpenAI.ChatCompletionMessageParam[];

export const openaiClient = (baseURL: string): OpenAI =>
  new OpenAI({ baseURL, apiKey: 'unused', maxRetries: 0 });

export const defineTools = (names: readonly string[]): OpenAI.ChatCompletionTool[] =>
  names.map((name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: {} } },
  }));

/** What the agent offers. */
export const offeredTools = [...agentTools];

/**
 * Plays the agent's loop: answers each call with the result given for its tool until the model answers with text.
 * Returns every turn.
 */
export async function converse(
  baseUrl: string,
  question: string,
  results: Record<string, string>,
  offered: readonly string[] = offeredTools,
): Promise<{ turns: Turn[]; answer: string; messages: Messages }> {
  const client = openaiClient(baseUrl);
  const messages: Messages = [
    { role: 'system', content: 'You work on a question with tools.' },
    { role: 'user', content: question },
  ];
  const turns: Turn[] = [];
  while (turns.length < 20) {
    const completion = await client.chat.completions.create({
      model: 'stand-in',
      messages,
      tools: defineTools(offered),
    });
    const message = completion.choices[0]!.message;
    const calls = (message.tool_calls ?? []).filter((call) => call.type === 'function');
    messages.push(message);
    turns.push({
      content: message.content,
      calls: calls.map((call) => ({ tool: call.function.name, input: JSON.parse(call.function.arguments) })),
    });
    if (calls.length === 0) return { turns, answer: message.content ?? '', messages };
    for (const { id, function: called } of calls) {
      const content = results[called.name] ?? `Error: no result for ${called.name}`;
      messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
  throw new Error('The conversation does not end');
}

export const toolsOf = ({ calls }: Turn): string[] => calls.map(({ tool }) => tool);
