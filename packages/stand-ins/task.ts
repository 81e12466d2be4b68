import { clausesOf } from './clauses.ts';
import { type Links, type Material, splitUserText } from './user-text.ts';
import type { ChatMessage, ChatRequest } from './wire/chat-request.ts';
import { readToolChoice } from './wire/tool-choice.ts';

export interface Step {
  tool: string;
  input: Record<string, unknown>;
  result: string;
}

/** What the conversation asks for, and which tools were called for it. */
export interface Task {
  question: string;
  clauses: string[];
  links: Links;
  material: Material[];
  images: string[];
  steps: Step[];
  /** What the last user message says, and the tools that were called for it. */
  last: { said: string; called: ReadonlySet<string> };
  tools: ReadonlySet<string>;
  skill?: string;
  brief: boolean;
  /** The answer to repeat, if the last message asks whether it is complete. */
  restated?: string;
}

const asksForBrevity =
  /\b(?:briefly|as (?:brief|short) as|shortest|concise(?:ly)?|terse(?:ly)?|few(?:est)? words)\b/i;
const minimumExtraTextCharacters = 200;

/** What Errand's agent puts around material from outside. A stand-in quotes the material alone. */
const outsideMark = /<outside_material\b[^<>]*>\n|\n<\/outside_material>/g;

export function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content.replaceAll(outsideMark, '');
  const parts = content ?? [];
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n\n')
    .trim();
}

export function readTask(request: ChatRequest): Task {
  const { messages } = request;
  const system = messages.filter(isInstruction).map(textOf).join('\n\n');
  const spoken = messages.filter((message) => !isInstruction(message) || message === messages.at(-1));
  const restated = findRestated(spoken);
  const exchange = currentExchange(spoken);
  const user = readUserMessages(exchange.filter(({ role }) => role === 'user'));
  const earlier = readUserMessages(spoken.filter((said) => said.role === 'user' && !exchange.includes(said)));
  const skill = /<user_skill>\s*(\S[^\n]*)/.exec(system)?.[1]?.trim();
  return {
    ...user,
    material: [...earlier.material, ...user.material],
    clauses: clausesOf(user.question),
    images: exchange.flatMap(imagesOf),
    steps: readSteps(exchange),
    last: readLast(spoken),
    tools: new Set(readToolChoice(request).tools.map((tool) => tool.function.name)),
    brief: asksForBrevity.test(system),
    ...(skill === undefined ? {} : { skill }),
    ...(restated === undefined ? {} : { restated }),
  };
}

const isInstruction = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';

const isAnswer = (message: ChatMessage): boolean =>
  message.role === 'assistant' && (message.tool_calls ?? []).length === 0 && textOf(message) !== '';

function findRestated(spoken: readonly ChatMessage[]): string | undefined {
  const [answer, check] = spoken.slice(-2);
  if (answer === undefined || check === undefined || !isAnswer(answer) || check.role === 'assistant')
    return undefined;
  const asked = textOf(check);
  return /\bcomplete\b/i.test(asked) && /\banswer\b/i.test(asked) ? textOf(answer) : undefined;
}

/** The messages after the last answer that came before the last user message. */
function currentExchange(spoken: readonly ChatMessage[]): ChatMessage[] {
  const lastUser = spoken.findLastIndex(({ role }) => role === 'user');
  const start = spoken.findLastIndex((message, index) => index < lastUser && isAnswer(message)) + 1;
  return spoken.slice(start);
}

function readLast(spoken: readonly ChatMessage[]): Task['last'] {
  const last = spoken.findLastIndex(({ role }) => role === 'user');
  const steps = readSteps(spoken.slice(last + 1));
  const message = spoken[last];
  return { said: message ? textOf(message) : '', called: new Set(steps.map(({ tool }) => tool)) };
}

function readUserMessages(messages: readonly ChatMessage[]): Pick<Task, 'question' | 'links' | 'material'> {
  const result: Pick<Task, 'question' | 'links' | 'material'> = { question: '', links: {}, material: [] };
  for (const message of messages) {
    const { question, links, material } = splitUserText(textOf(message));
    Object.assign(result.links, links);
    result.material.push(...material);
    if (result.question === '') result.question = question;
    else if (question.length >= minimumExtraTextCharacters) {
      result.material.push({ heading: 'attached text', text: question });
    }
  }
  return result;
}

function imagesOf({ content }: ChatMessage): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
}

function readSteps(messages: readonly ChatMessage[]): Step[] {
  const results = new Map(messages.map((message) => [message.tool_call_id, textOf(message)]));
  return messages.flatMap(({ tool_calls: calls }) =>
    (calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
      tool: name,
      input: readInput(input),
      result: results.get(id) ?? '',
    })),
  );
}

function readInput(text: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === 'object' && input !== null ? { ...input } : {};
  } catch {
    return {};
  }
}
