/** A chat completion request, as far as the policy reads it. */
export interface PolicyRequest {
  model: string;
  messages: readonly Message[];
  tools?: readonly ToolDefinition[];
  tool_choice?: unknown;
  max_tokens?: number;
  max_completion_tokens?: number;
  response_format?: { json_schema?: { schema?: unknown } };
}

export interface Message {
  role: string;
  content?: unknown;
  tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

export interface ToolDefinition {
  function: {
    name: string;
    description?: string;
    parameters?: { properties?: Record<string, unknown> };
  };
}

export interface MadeCall {
  name: string;
  args: Record<string, unknown>;
  /** Undefined while it is not answered. */
  result?: string;
}

/** Something that was read: a page, a document, or what came with the question. */
export interface Reading {
  /** The address or filename. */
  source: string;
  /** The source's number if the service gives one, else its place among what was read. */
  number: number;
  text: string;
  /** The lines above the text: its title and its address. */
  title: string;
  /** The day of the material if it says one, as a text that sorts. */
  date: string;
  /** Whether it stands between the marks of material from outside. */
  isMarked: boolean;
}

export interface Conversation {
  question: string;
  /** The whole first message of the user. */
  opening: string;
  /** The text of the skill, if the run has one. */
  skill: string;
  calls: readonly MadeCall[];
  /** How many messages with calls there are. */
  rounds: number;
  /** What the policy has written beside its calls. */
  notes: string;
  readings: readonly Reading[];
  /** Whether the service numbers sources itself. */
  isNumbered: boolean;
  /** The number that each source was shown with. */
  numbers: readonly number[];
  /** What the run was given to read: addresses, and names of attached files. */
  given: readonly string[];
}

/** How the service numbers what it shows: before its name, or in the heading of what came with the question. */
const sourceNumber = /^(?:.*, source )?\[(\d+)\](?: |:$)/m;

const isAddress = ({ url, imageUrl }: MadeCall['args']): boolean => (url ?? imageUrl) !== undefined;

/** How the policy begins a question that others are to work on. */
export const reportPrefix = 'Report on this: ';

export const textOf = ({ content }: Message): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('\n')
      : '';

export function readConversation(messages: readonly Message[]): Conversation {
  const opening = textOf(messages.find(({ role }) => role === 'user') ?? { role: 'user' });
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(textOf)
    .join('\n');
  const [asked = ''] = opening.split('\n\n');
  const question = asked.replace(reportPrefix, '');
  const rest = opening.slice(asked.length);
  const calls = callsOf(messages);
  const attached = /^Attached \w+: "(.+)"/m.exec(rest)?.[1];
  const numbered = [...calls.map(({ result = '' }) => withoutFence(result)), rest].some((text) =>
    sourceNumber.test(text),
  );
  return {
    question,
    opening,
    skill: /<user_skill>\n([\s\S]*?)\n<\/user_skill>/.exec(system + opening)?.[1] ?? '',
    calls,
    rounds: messages.filter(({ tool_calls = [] }) => tool_calls.length > 0).length,
    notes: messages
      .filter(({ role }) => role === 'assistant')
      .map(textOf)
      .join('\n'),
    readings: readingsOf(calls, rest, attached),
    isNumbered: numbered,
    numbers: [...new Set(calls.flatMap(({ result = '' }) => numbersIn(result)))],
    given: [
      ...(attached === undefined ? [] : [attached]),
      ...(opening.match(/^documentUrl: (\S+)/m)?.slice(1) ?? []),
      ...(question.match(/https?:\/\/[^\s"]+[^\s".,;:?!)]/g) ?? []),
    ],
  };
}

function callsOf(messages: readonly Message[]): MadeCall[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'tool' ? [[message.tool_call_id, textOf(message)] as const] : [],
    ),
  );
  return messages.flatMap(({ tool_calls = [] }) =>
    tool_calls.map((call) => {
      const result = results.get(call.id);
      return {
        name: call.function.name,
        args: parseArguments(call.function.arguments),
        result,
      };
    }),
  );
}

export function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const numbersIn = (result: string): number[] =>
  [...withoutFence(result).matchAll(/^\[(\d+)\] /gm)].map(([, number]) => Number(number));

export const withoutFence = (text: string): string => text.replaceAll(/<\/?outside_material[^>]*>\n?/g, '');

function readingsOf(calls: readonly MadeCall[], rest: string, attached: string | undefined): Reading[] {
  const readings: Reading[] = [];
  const add = (source: string, raw: string) => {
    const text = withoutFence(raw);
    const given = Number(sourceNumber.exec(text)?.[1]);
    const known = readings.find((reading) => reading.source === source)?.number;
    const next = new Set(readings.map((reading) => reading.source)).size + 1;
    readings.push({
      source,
      number: given || (known ?? next),
      text,
      title: text.slice(0, Math.max(0, text.indexOf('\n\n'))),
      date: /\b20\d\d-\d\d-\d\d\b/.exec(text)?.[0] ?? '',
      isMarked: text !== raw,
    });
  };
  if (rest.length > 0 && (attached !== undefined || /outside_material|^Transcript/m.test(rest)))
    add(attached ?? /^audioUrl: (\S+)/m.exec(rest)?.[1] ?? 'attachment', rest);
  for (const { args, result } of calls)
    if (isAddress(args) && result !== undefined && !result.startsWith('Error:'))
      add(String(args.url ?? args.imageUrl), result);
  return readings;
}
