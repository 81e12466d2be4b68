/** What Anthropic documents of requests: https://platform.claude.com/docs/en/api/messages. */

export type Block = Record<string, unknown> & { type: string };

export interface MessageRequest extends Record<string, unknown> {
  model: string;
  max_tokens: number;
  messages: { role: string; content: string | Block[] }[];
  system?: string | Block[];
  tools?: Record<string, unknown>[];
  tool_choice?: Record<string, unknown>;
  stream?: boolean;
}

interface Told {
  version: string | undefined;
  betas: string | undefined;
  /** The signatures, and the encrypted thinking, that the server has sent. */
  signatures: ReadonlySet<unknown>;
}

const versions: ReadonlySet<unknown> = new Set(['2023-06-01', '2026-10-21']);

const fields: ReadonlySet<string> = new Set([
  ...['model', 'max_tokens', 'messages', 'system', 'tools', 'tool_choice', 'stop_sequences', 'temperature'],
  ...['top_p', 'top_k', 'stream', 'metadata', 'cache_control', 'thinking', 'output_config', 'service_tier'],
]);
/** Fields that only a beta has. */
const betaFields: ReadonlySet<string> = new Set([
  'compaction',
  'context_management',
  'diagnostics',
  'speed',
  'mcp_servers',
]);

const pictures: ReadonlySet<unknown> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Why a request is refused. Undefined if it is right. */
export function faultOf(request: MessageRequest, told: Told): string | undefined {
  try {
    check(request, told);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

class Fault extends Error {}

function must(holds: unknown, words: string): asserts holds {
  if (!holds) throw new Fault(words);
}

function check(request: MessageRequest, { version, betas, signatures }: Told): void {
  must(versions.has(version), `anthropic-version: "${version}" is not a valid version`);
  for (const name of Object.keys(request))
    must(fields.has(name) || (betas && betaFields.has(name)), `${name}: Extra inputs are not permitted`);
  const { max_tokens, messages, temperature, system } = request;
  must(
    Number.isInteger(max_tokens) && max_tokens >= 1,
    'max_tokens: Input should be greater than or equal to 1',
  );
  must(temperature === undefined || version !== '2026-10-21', 'temperature: Extra inputs are not permitted');
  must(
    temperature === undefined || (Number(temperature) >= 0 && Number(temperature) <= 1),
    'temperature: range: 0..1',
  );
  must(messages.length > 0, 'messages: at least one message is required');
  must(messages[0]?.role === 'user', 'messages: first message must use the "user" role');
  if (Array.isArray(system)) for (const [i, block] of system.entries()) checkText(block, `system.${i}`);
  checkTools(request);
  checkFormat(request);
  const marks =
    JSON.stringify([request.system, request.tools, messages]).split('"cache_control":{').length - 1;
  must(marks <= 4, `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`);
  const ids = new Set<unknown>();
  for (const i of messages.keys()) checkMessage(messages, i, { signatures, ids });
}

function checkTools({ tools, tool_choice }: MessageRequest): void {
  must(!tool_choice || tools?.length, 'tool_choice: may only be specified while providing tools');
  for (const [i, { name, input_schema, type }] of (tools ?? []).entries()) {
    if (type !== undefined && type !== 'custom') continue;
    must(/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)), `tools.${i}.name: String should match pattern`);
    must(
      (input_schema as Block | undefined)?.type === 'object',
      `tools.${i}.input_schema.type: Field required`,
    );
  }
}

/** Schemas are the only form: https://platform.claude.com/docs/en/build-with-claude/structured-outputs. */
function checkFormat({ output_config }: MessageRequest): void {
  const { format } = (output_config ?? {}) as { format?: Block };
  if (!format) return;
  must(format.type === 'json_schema', "output_config.format.type: Input should be 'json_schema'");
  const { type: _, schema, ...others } = format;
  must(typeof schema === 'object' && schema, 'output_config.format.schema: Field required');
  for (const name of Object.keys(others))
    must(false, `output_config.format.${name}: Extra inputs are not permitted`);
  must(
    isClosed(schema as Block),
    "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
  );
}

const isClosed = ({ type, additionalProperties, properties = {} }: Record<string, unknown>): boolean =>
  (type !== 'object' || additionalProperties === false) &&
  Object.values(properties as Record<string, Block>).every(isClosed);

const roles: ReadonlySet<string> = new Set(['user', 'assistant', 'system']);

function checkMessage(
  messages: MessageRequest['messages'],
  i: number,
  seen: { signatures: ReadonlySet<unknown>; ids: Set<unknown> },
): void {
  const { role, content } = messages[i]!;
  const at = `messages.${i}`;
  must(roles.has(role), `${at}.role: Input should be "user" or "assistant"`);
  const isLast = i === messages.length - 1;
  must(
    content.length > 0 || (isLast && role === 'assistant'),
    `${at}: all messages must have non-empty content`,
  );
  const blocks = blocksIn(content);
  for (const [j, block] of blocks.entries()) checkBlock(block, role, `${at}.content.${j}`, seen);
  if (isLast && role === 'assistant')
    must(
      !/\s$/.test(String(blocks.at(-1)?.text ?? '')),
      'messages: final assistant content cannot end with trailing whitespace',
    );
  checkResults(
    blocks,
    blocksIn(i > 0 && messages[i - 1]!.role === 'assistant' ? messages[i - 1]!.content : []),
    at,
  );
  const called = blocks.some(({ type }) => type === 'tool_use');
  must(
    !called || messages[i + 1]?.role === 'user',
    `${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`,
  );
}

const blocksIn = (content: string | Block[]): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** Each call of the message before has its result, and the results stand first. */
function checkResults(blocks: readonly Block[], before: readonly Block[], at: string): void {
  const called = before.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id);
  for (const id of results)
    must(
      called.includes(id),
      `${at}.content: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`,
    );
  for (const id of called)
    must(
      results.filter((each) => each === id).length === 1,
      `${at}: each \`tool_use\` block must have a single result: ${id}`,
    );
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
  must(
    firstOther < 0 || blocks.slice(firstOther).every(({ type }) => type !== 'tool_result'),
    `${at}: tool_result must come first`,
  );
}

function checkText({ type, text }: Block, at: string): void {
  must(type === 'text', `${at}.type: Input should be 'text'`);
  must(
    typeof text === 'string' && text.trim() !== '',
    `${at}: text content blocks must contain non-whitespace text`,
  );
}

function checkBlock(
  block: Block,
  role: string,
  at: string,
  { signatures, ids }: { signatures: ReadonlySet<unknown>; ids: Set<unknown> },
) {
  const { type, id, source, content, signature, data } = block;
  if (type === 'text') return checkText(block, at);
  if (type === 'image' || type === 'document') return checkSource(type, source as Block, at);
  if (type === 'thinking' || type === 'redacted_thinking') {
    must(role === 'assistant', `${at}: thinking is the assistant's`);
    return must(
      signatures.has(type === 'thinking' ? signature : data),
      `${at}: Invalid \`signature\` in \`thinking\` block`,
    );
  }
  if (type === 'tool_use') {
    must(role === 'assistant', `${at}: \`tool_use\` blocks can only be in \`assistant\` messages`);
    must(/^[a-zA-Z0-9_-]+$/.test(String(id)), `${at}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    must(!ids.has(id), `${at}: \`tool_use\` ids must be unique`);
    ids.add(id);
    return must(
      typeof block.input === 'object' && block.input && !Array.isArray(block.input),
      `${at}.input: Input should be a valid dictionary`,
    );
  }
  must(
    type === 'tool_result',
    `${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`,
  );
  must(role === 'user', `${at}: \`tool_result\` blocks can only be in \`user\` messages`);
  if (!Array.isArray(content)) return;
  for (const [i, inner] of (content as Block[]).entries()) {
    must(
      inner.cache_control === undefined,
      `${at}.content.${i}.cache_control: Extra inputs are not permitted`,
    );
    checkBlock(inner, role, `${at}.content.${i}`, { signatures, ids });
  }
}

function checkSource(of: string, { type, media_type, data, url }: Block, at: string) {
  if (type === 'url')
    return must(/^https?:/.test(String(url)), `${at}.source.url: Only HTTP(S) URLs are supported`);
  if (of === 'document' && type === 'text')
    return must(media_type === 'text/plain', `${at}.source.media_type`);
  must(
    type === 'base64' && typeof data === 'string',
    `${at}.source: Input should be 'base64', 'text' or 'url'`,
  );
  must(/^[A-Za-z0-9+/=]+$/.test(data as string), `${at}.source.base64: invalid base64 data`);
  must(
    of === 'document' ? media_type === 'application/pdf' : pictures.has(media_type),
    `${at}.source.media_type`,
  );
}
