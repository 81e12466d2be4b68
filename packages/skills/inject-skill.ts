import type { ResolvedSkill } from './resolve-skill.ts';

export interface InjectableMessage {
  role: string;
  content?: unknown;
}

export type SystemMessage = { role: 'system'; content: string };

/**
 * The messages with the skill's block at the end of the caller's system prompt: of the last of the system (or
 * developer) messages that the conversation begins with, else of the first one further on. Without any, a system
 * message is put in front. Nothing that was given is changed.
 */
export function injectSkill<M extends InjectableMessage>(
  messages: readonly M[],
  skill: Pick<ResolvedSkill, 'block'>,
): (M | SystemMessage)[] {
  const message: SystemMessage = { role: 'system', content: skill.block };
  const place = systemPromptIndex(messages);
  const prompt = messages[place];
  if (!prompt) return [message, ...messages];
  const content = appendBlock(prompt.content, skill.block);
  if (content === undefined) return [...messages.slice(0, place + 1), message, ...messages.slice(place + 1)];
  return messages.with(place, { ...prompt, content });
}

const isPrompt = ({ role }: InjectableMessage) => role === 'system' || role === 'developer';

function systemPromptIndex(messages: readonly InjectableMessage[]): number {
  const firstOther = messages.findIndex((message) => !isPrompt(message));
  if (firstOther === -1) return messages.length - 1;
  return firstOther > 0 ? firstOther - 1 : messages.findIndex(isPrompt);
}

/** Undefined for content that is neither text nor parts: it is the upstream's to judge. */
function appendBlock(content: unknown, block: string): unknown {
  if (content === undefined || content === null || content === '') return block;
  if (typeof content === 'string') return `${content}\n\n${block}`;
  return Array.isArray(content) ? [...content, { type: 'text', text: block }] : undefined;
}
