import { checkJsonSize, isDomainError } from '@errand/platform';
import * as v from 'valibot';
import { findModel } from '../models.ts';
import { WireError } from './http.ts';

const textPart = v.looseObject({ type: v.literal('text'), text: v.string() });
const imagePart = v.looseObject({
  type: v.literal('image_url'),
  image_url: v.looseObject({ url: v.pipe(v.string(), v.nonEmpty()) }),
});
const content = v.nullish(
  v.union(
    [v.string(), v.array(v.variant('type', [textPart, imagePart]))],
    'A stand-in reads texts and images alone',
  ),
);

const toolCall = v.looseObject({
  id: v.string(),
  type: v.literal('function'),
  function: v.looseObject({ name: v.string(), arguments: v.string() }),
});

const message = v.looseObject({
  role: v.picklist(['system', 'developer', 'user', 'assistant', 'tool']),
  content,
  tool_calls: v.optional(v.array(toolCall)),
  tool_call_id: v.optional(v.string()),
});

const tool = v.looseObject({
  type: v.literal('function'),
  function: v.looseObject({
    name: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
    parameters: v.optional(v.looseObject({})),
  }),
});

const namedFunction = v.looseObject({
  type: v.literal('function'),
  function: v.looseObject({ name: v.string() }),
});

const allowedTools = v.looseObject({
  type: v.literal('allowed_tools'),
  allowed_tools: v.looseObject({ mode: v.picklist(['auto', 'required']), tools: v.array(namedFunction) }),
});

const toolChoice = v.union([v.picklist(['none', 'auto', 'required']), namedFunction, allowedTools]);

const responseFormat = v.variant('type', [
  v.looseObject({ type: v.literal('text') }),
  v.looseObject({ type: v.literal('json_object') }),
  v.looseObject({
    type: v.literal('json_schema'),
    json_schema: v.looseObject({ name: v.string(), schema: v.optional(v.looseObject({})) }),
  }),
]);

const positiveInteger = v.pipe(v.number(), v.integer(), v.minValue(1));

const chatRequest = v.looseObject({
  model: v.string(),
  messages: v.pipe(v.array(message), v.minLength(1)),
  stream: v.nullish(v.boolean()),
  stream_options: v.nullish(v.looseObject({ include_usage: v.nullish(v.boolean()) })),
  tools: v.optional(v.array(tool)),
  tool_choice: v.nullish(toolChoice),
  response_format: v.nullish(responseFormat),
  parallel_tool_calls: v.nullish(v.boolean()),
  max_tokens: v.nullish(positiveInteger),
  max_completion_tokens: v.nullish(positiveInteger),
  n: v.nullish(v.pipe(positiveInteger, v.maxValue(128))),
});

export type ChatRequest = v.InferOutput<typeof chatRequest>;
export type ChatMessage = ChatRequest['messages'][number];
export type ToolDefinition = NonNullable<ChatRequest['tools']>[number];

const isOurs = (model: string): boolean => findModel(model, ['chat', 'vision']) !== undefined;

/** Throws a WireError: 400 for a body that OpenAI would refuse, 404 for a model that does not exist here. */
export function parseChatRequest(text: string, exists = isOurs): ChatRequest {
  const parsed = v.safeParse(chatRequest, parseJson(text));
  if (!parsed.success) {
    const issue = parsed.issues[0];
    throw new WireError(400, `Invalid request: ${issue.message}`, v.getDotPath(issue));
  }
  const request = parsed.output;
  if (!exists(request.model)) {
    throw new WireError(404, `The model '${request.model}' does not exist`, 'model', 'model_not_found');
  }
  readToolChoice(request);
  checkToolMessages(request.messages);
  return request;
}

function parseJson(text: string): unknown {
  try {
    checkJsonSize(text);
    return JSON.parse(text);
  } catch (error) {
    const isDeep = isDomainError(error, 'nested_too_deep');
    throw new WireError(400, isDeep ? 'The body is nested too deeply' : 'The body is not valid JSON');
  }
}

/** OpenAI demands that tool messages answer every tool call before any other message follows. */
function checkToolMessages(messages: readonly ChatMessage[]): void {
  let open = new Set<string>();
  for (const [index, { role, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    const param = `messages.${index}`;
    if (role === 'tool') {
      if (id === undefined || !open.delete(id)) {
        throw new WireError(400, "A message with role 'tool' must answer a preceding 'tool_calls'", param);
      }
      continue;
    }
    if (open.size > 0) break;
    if (calls !== undefined) open = new Set(calls.map((call) => call.id));
  }
  if (open.size === 0) return;
  const missing = [...open].join(', ');
  throw new WireError(
    400,
    `Every 'tool_calls' must be answered by a tool message; missing: ${missing}`,
    'messages',
  );
}

export interface ToolChoice {
  /** `named` demands a call of the only tool in `tools`. */
  mode: 'none' | 'auto' | 'required' | 'named';
  tools: ToolDefinition[];
}

/** Which tools a request lets the model call, and whether it has to. Throws a WireError where none can be called. */
export function readToolChoice({ tools = [], tool_choice: choice }: ChatRequest): ToolChoice {
  if (choice === 'none') return { mode: 'none', tools: [] };
  if (choice === 'auto' || choice === undefined || choice === null) return { mode: 'auto', tools };
  if (choice === 'required') return { mode: 'required', tools: atLeastOne(tools) };
  if (choice.type === 'function') return { mode: 'named', tools: namedTools(tools, [choice]) };
  const { mode, tools: allowed } = choice.allowed_tools;
  return { mode, tools: atLeastOne(namedTools(tools, allowed)) };
}

function namedTools(
  tools: readonly ToolDefinition[],
  named: readonly { function: { name: string } }[],
): ToolDefinition[] {
  return named.map(({ function: { name } }) => {
    const tool = tools.find((each) => each.function.name === name);
    if (tool) return tool;
    throw new WireError(400, "'tool_choice' names a tool that is not in 'tools'", 'tool_choice');
  });
}

function atLeastOne(tools: ToolDefinition[]): ToolDefinition[] {
  if (tools.length > 0) return tools;
  throw new WireError(400, "'tool_choice' is only allowed when 'tools' are specified", 'tool_choice');
}
