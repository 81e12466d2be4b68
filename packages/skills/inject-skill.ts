import type { ResolvedSkill } from './resolve-skill.ts';

interface InjectableMessage {
  role: string;
  content?: unknown;
}

type SystemMessage = { role: 'system'; content: string };

/**
 * Returns the messages with the skill's block at the end of the caller's system prompt; the input is not changed. The
 * system prompt is the last of the system or developer messages with which the conversation begins, otherwise the
 * first such message further on. A conversation without one gets a system message in front.
 */
export function injectSkill<M extends InjectableMessage>(
  messages: readonly M[],
  skill: Pick<ResolvedSkill, 'block'>,
): (M | SystemMessage)[] {
  const message: SystemMessage = { role: 'system', content: skill.block };
  const index = systemPromptIndex(messages);
  const prompt = messages[index];
  if (!prompt) return [message, ...messages];
  const content = appendBlock(prompt.content, skill.block);
  if (content === undefined) return [...messages.slice(0, index + 1), message, ...messages.slice(index + 1)];
  return messages.with(index, { ...prompt, content });
}

const isPrompt = ({ role }: InjectableMessage) => role === 'system' || role === 'developer';

function systemPromptIndex(messages: readonly InjectableMessage[]): number {
  const firstOther = messages.findIndex((message) => !isPrompt(message));
  if (firstOther === -1) return messages.length - 1;
  return firstOther > 0 ? firstOther - 1 : messages.findIndex(isPrompt);
}

/** Undefined for content that is neither text nor an array: the upstream decides whether it is valid. */
function appendBlock(content: unknown, block: string): unknown {
  if (content === undefined || content === null || content === '') return block;
  if (typeof content === 'string') return `${content}\n\n${block}`;
  return Array.isArray(content) ? [...content, { type: 'text', text: block }] : undefined;
}
