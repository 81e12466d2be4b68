import { clausesOf } from './clauses.ts';
import { type ChatMessage, type ChatRequest, readToolChoice } from './wire/chat-request.ts';

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
  const steps = readSteps(exchange);
  const replies = readReplies(steps);
  const skill = /<user_skill>\s*(\S[^\n]*)/.exec(system)?.[1]?.trim();
  return {
    ...user,
    links: { ...user.links, ...replies.links },
    material: [...earlier.material, ...user.material, ...replies.material],
    clauses: clausesOf(user.question),
    images: exchange.flatMap(imagesOf),
    steps,
    last: readLast(spoken),
    tools: new Set(readToolChoice(request).tools.map((tool) => tool.function.name)),
    brief: asksForBrevity.test(system),
    ...(skill === undefined ? {} : { skill }),
    ...(restated === undefined ? {} : { restated }),
  };
}

/** The same of the conversation as one exchange: what was said of it does not end it. */
export const readWhole = (request: ChatRequest): Task =>
  readTask({ ...request, messages: request.messages.filter((message) => !isAnswer(message)) });

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

/** What the caller has sent because a call of `request_input` asked for it. */
function readReplies(steps: readonly Step[]): Pick<Task, 'links' | 'material'> {
  const sent = steps.filter(({ tool, result }) => tool === 'request_input' && !result.startsWith('Error'));
  const texts = sent.map(({ result }) => splitUserText(result));
  const material = texts.flatMap(({ question, material }) => {
    if (material.length > 0 || question === '') return material;
    return [{ heading: 'attached text', text: question }];
  });
  return { links: Object.assign({}, ...texts.map(({ links }) => links)), material };
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

interface Material {
  heading: string;
  text: string;
}

interface Links {
  documentUrl?: string;
  audioUrl?: string;
  imageUrl?: string;
}

interface UserText {
  question: string;
  links: Links;
  material: Material[];
}

const linkLine =
  /^[ \t]*[-*]?[ \t]*(document|audio|image)[ _]?url\b[^:=\n]*[:=][ \t]*<?(https?:\/\/[^\s>]+)>?[ \t]*$/gim;
const attachmentLine = /^attached (?:document|recording|image|file): *"[^\n]*"[ \t]*$/gim;
const enclosed =
  /<([\w-]*(?:document|file|upload|attachment|transcript|recording|image|content|context|material)[\w-]*)\b([^>\n]*)>\s*([\s\S]*?)\s*<\/\1>/gi;
const readingHeading =
  /(?<=^|\n)[ \t]*((?:transcript|recording|what|image|description)\b[^:\n]{0,150}|(?:#+[ \t]*)?(?:uploaded|attached|converted|content|text|document|file)\b[^:\n]{0,150}):[ \t]*\n[ \t]*\n/gi;
const documentHeading = /^\W*(?:uploaded|attached|converted|content|text|document|file)\b/i;

/** A run of blanks is replaced by one, because patterns that begin with blanks are slow on long runs. */
const blankRun = /[ \t]{100,}/g;

const longTextCharacters = 600;

/** Splits a user's message into the question, links, and the text of documents, recordings and images. */
function splitUserText(text: string): UserText {
  const { opening, headed } = splitAtHeadings(text);
  const links: Links = {};
  const material: Material[] = [];
  const question = opening
    .replace(linkLine, (_line, kind: string, url: string) => {
      links[`${kind.toLowerCase()}Url` as keyof Links] = url;
      return '';
    })
    .replace(attachmentLine, '')
    .replace(enclosed, (_block, tag: string, attributes: string, inner: string) => {
      material.push({ heading: `${tag}${attributes}`, text: inner });
      return '\n';
    })
    .trim();
  material.push(...headed);
  if (material.length > 0) return { question, links, material };
  return { links, ...splitLongText(question) };
}

/** All text after a document's heading belongs to the document, because its lines may look like headings. */
function splitAtHeadings(text: string): { opening: string; headed: Material[] } {
  const found = [...text.matchAll(readingHeading)];
  const document = found.findIndex(([, heading = '']) => documentHeading.test(heading));
  const headings = document === -1 ? found : found.slice(0, document + 1);
  const headed = headings.map((heading, index) => ({
    heading: (heading[1] ?? '').trim(),
    text: text.slice(heading.index + heading[0].length, headings[index + 1]?.index).trim(),
  }));
  return { opening: text.slice(0, headings[0]?.index).replace(blankRun, ' '), headed };
}

/** Without headings, the question is the first paragraph, or the last if that ends in `?` and the first does not. */
function splitLongText(text: string): { question: string; material: Material[] } {
  const paragraphs = text.split(/\n\s*\n/);
  const first = paragraphs[0] ?? '';
  const last = paragraphs.at(-1) ?? '';
  if (text.length < longTextCharacters || paragraphs.length < 2) return { question: text, material: [] };
  const lastAsks = last.trimEnd().endsWith('?') && !first.trimEnd().endsWith('?');
  const rest = lastAsks ? paragraphs.slice(0, -1) : paragraphs.slice(1);
  return {
    question: (lastAsks ? last : first).trim(),
    material: [{ heading: 'attached text', text: rest.join('\n\n') }],
  };
}
