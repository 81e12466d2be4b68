import { type Catalogue, findModel } from '@errand/models';
import { fieldIssue, given, limits } from '@errand/platform';
import type { Item } from './schema.ts';

/** Whether every upstream that is asked for this model's chat completions has custom tools. */
export function hasCustomTools(catalogue: Catalogue, modelId: string): boolean {
  const model = findModel(catalogue, modelId)?.model;
  const upstreams = model ? [model.upstream, ...model.fallbacks] : [];
  return upstreams.every(({ api, customTools }) => api === 'responses' || customTools === true);
}

interface Custom {
  name: string;
  description?: unknown;
  format?: { type?: unknown; grammar?: { syntax?: unknown; definition?: unknown } };
}

/** A tool, a call of one, or the choice of one. */
interface Named {
  type: string;
  function?: { name: string };
  custom?: Custom & { input?: string };
  [field: string]: unknown;
}

interface Completion {
  messages: readonly { tool_calls?: readonly Named[] }[];
  tools?: readonly Named[];
  tool_choice?: unknown;
}

/**
 * The chat completion with a function in place of each custom tool: a function of one text. Throws `invalid_request` for
 * a custom tool of which no function can be made.
 */
export function withFunctions(completion: object): object {
  const { messages, tools, tool_choice } = completion as Completion;
  refuseTwice(tools ?? []);
  return {
    ...completion,
    messages: messages.map((message) =>
      message.tool_calls ? { ...message, tool_calls: message.tool_calls.map(asCall) } : message,
    ),
    ...(tools && { tools: tools.map(asTool) }),
    ...(tool_choice !== undefined && { tool_choice: asChoice(tool_choice) }),
  };
}

/** A call that is answered with the name alone would be one of either. */
function refuseTwice(tools: readonly Named[]): void {
  const nameOf = ({ function: called, custom }: Named) => (called ?? custom)?.name;
  const counts = new Map<string | undefined, number>();
  for (const tool of tools) counts.set(nameOf(tool), (counts.get(nameOf(tool)) ?? 0) + 1);
  const twice = tools.find(({ custom }) => custom && counts.get(custom.name)! > 1)?.custom;
  if (twice) throw fieldIssue('tools', `must not have two tools named ${twice.name}, one of them custom`);
}

const asCall = ({ custom, ...call }: Named): Item =>
  custom
    ? {
        ...call,
        type: 'function',
        function: { name: custom.name, arguments: JSON.stringify({ input: custom.input }) },
      }
    : call;

const parameters = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The text for the tool, as it is.' } },
  required: ['input'],
  additionalProperties: false,
};

const asTool = (tool: Named): Item =>
  tool.custom
    ? {
        type: 'function',
        function: { name: tool.custom.name, description: describe(tool.custom), parameters },
      }
    : tool;

function describe({ description, format }: Custom): string {
  if (description !== undefined && description !== null && typeof description !== 'string')
    throw fieldIssue('tools', 'must have descriptions that are strings');
  const takes = 'The tool takes one text: write it as `input`.';
  return Object.values(given({ description, takes, grammar: grammarOf(format) })).join('\n\n');
}

function grammarOf(format: Custom['format']): string | undefined {
  if (format?.type !== 'grammar') return undefined;
  const { syntax, definition } = format.grammar ?? {};
  const most = limits.describedGrammarCharacters;
  if (syntax !== 'lark' && syntax !== 'regex')
    throw fieldIssue('tools', 'must have grammars whose syntax is lark or regex');
  if (typeof definition !== 'string' || definition.length > most)
    throw fieldIssue(
      'tools',
      `must have grammars of at most ${most} characters: this model reads them as descriptions`,
    );
  return `The text must follow this grammar (${syntax}):\n${definition}`;
}

function asChoice(choice: unknown): unknown {
  const { type, custom, allowed_tools: allowed } = choice as Named & { allowed_tools?: { tools: Named[] } };
  if (custom) return { type: 'function', function: { name: custom.name } };
  if (type !== 'allowed_tools' || !allowed) return choice;
  return { type, allowed_tools: { ...allowed, tools: allowed.tools.map(asChoice) } };
}
