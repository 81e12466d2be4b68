import { nameableTools } from '@errand/agent';
import { DomainError, fieldIssue, validate } from '@errand/platform';
import { type CreateRunBody, createRunSchema } from '@errand/runs';
import { stringField } from '../request/parts.ts';
import { refuseUnknown } from '../request/refuse-fields.ts';
import { type Item, logprobsName, type ResponsesRequest } from '../request/schema.ts';
import { type Attached, readAttached } from './attached.ts';
import { isServer, toRunServers } from './remote-servers.ts';

/** The model whose responses are runs. */
export const agentModel = 'agent:default';

export const isAgent = (model: string): boolean => model.startsWith('agent:');

/** The run that a request asks for, and its file if the request has the bytes. Throws `DomainError`. */
export function readRunRequest(request: ResponsesRequest): {
  body: CreateRunBody;
  marks: Record<string, string>;
  file?: Attached['file'];
} {
  const { model, metadata, tools } = request;
  if (model !== agentModel) throw new DomainError('model_not_found', { model, nearest: agentModel });
  refuseRunFields(request);
  const { question, attached } = readQuestion(request);
  const body = validate(createRunSchema, {
    question,
    ...attached.fields,
    ...(metadata && { metadata }),
    ...(tools && tools.length > 0 && { tools: toRunTools(tools), mcp: toRunServers(tools) }),
    ...('skills' in request && { skills: request.skills }),
  });
  return { body, marks: marksOf(request), file: attached.file };
}

const echoed = [
  'user',
  'safety_identifier',
  'prompt_cache_key',
] as const satisfies readonly (keyof ResponsesRequest)[];

const marksOf = (request: ResponsesRequest): Record<string, string> =>
  Object.fromEntries(echoed.flatMap((name) => (request[name] ? [[name, request[name]]] : [])));

const notTaken = [
  ...['max_output_tokens', 'max_tool_calls', 'temperature', 'top_p'],
  ...['presence_penalty', 'frequency_penalty', 'top_logprobs'],
] as const satisfies readonly (keyof ResponsesRequest)[];

/** Throws `invalid_request` for a field that no run can follow. */
function refuseRunFields(request: ResponsesRequest): void {
  refuseUnknown(request);
  const refuse = (field: string, isGiven: unknown, problem = 'is not taken by runs') => {
    if (isGiven) throw fieldIssue(field, problem);
  };
  const { previous_response_id, store, tool_choice, text, reasoning, parallel_tool_calls } = request;
  const { include, truncation } = request;
  refuse('previous_response_id', previous_response_id, 'is not taken by runs: a run is one exchange');
  refuse('store', store === false, 'must not be false: a run is kept until it expires or is deleted');
  for (const field of notTaken) refuse(field, (request[field] ?? null) !== null);
  refuse(
    'truncation',
    (truncation ?? 'disabled') !== 'disabled',
    'must be disabled: a run has rules of its own',
  );
  refuse(
    'include',
    include?.includes(logprobsName),
    `must not have ${logprobsName}: runs tell no probabilities`,
  );
  refuse('tool_choice', (tool_choice ?? 'auto') !== 'auto', 'must be auto: a run chooses its tools');
  refuse('parallel_tool_calls', parallel_tool_calls === false);
  refuse('text.format', (text?.format?.type ?? 'text') !== 'text', 'must be text: a run answers in markdown');
  refuse('text.verbosity', text?.verbosity);
  refuse('reasoning.effort', reasoning?.effort);
  refuse('reasoning.summary', reasoning?.summary);
}

/** Changes nothing that a run would do. */
const ignored = ['type', 'search_context_size'];

/** The run's tools that a request names. Who may search may open what was found. Throws `invalid_request`. */
const toRunTools = (tools: readonly Item[]): string[] => [
  ...new Set(
    tools.flatMap((tool, index) => {
      if (isServer(tool)) return [];
      const at = `tools[${index}]`;
      const name = tool.type === 'web_search_preview' ? 'web_search' : tool.type;
      if (typeof name !== 'string' || !nameableTools.some((one) => one === name))
        throw fieldIssue(`${at}.type`, `must be mcp or one of ${nameableTools.join(', ')}`);
      const other = Object.keys(tool).find(
        (field) => !ignored.includes(field) && (tool[field] ?? null) !== null,
      );
      if (other !== undefined) throw fieldIssue(`${at}.${other}`, 'is not taken by runs');
      return name === 'web_search' ? [name, 'web_crawl'] : [name];
    }),
  ),
];

interface Asked {
  question: string;
  attached: Attached;
}

interface Said {
  role: string;
  text: string;
}

const speakers = ['user', 'assistant', 'system', 'developer'];

/**
 * What a request asks a run, as one text: its instructions, then what its user says. If an assistant said something, all of them
 * with their names. Throws `invalid_request` with the place of what a run cannot take.
 */
function readQuestion({ instructions, input = [] }: ResponsesRequest): Asked {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const attached: Attached[] = [];
  const said = items.map((item, index) => readItem(item, `input[${index}]`, attached));
  if (attached.length > 1) throw fieldIssue('input', 'has more than one file: a run takes one');
  const isRule = ({ role }: Said) => role === 'system' || role === 'developer';
  const rules = [instructions ?? '', ...said.filter(isRule).map(({ text }) => text)];
  const spoken = said.filter((each) => !isRule(each) && each.text !== '');
  const isTalk = spoken.some(({ role }) => role === 'assistant');
  const texts = spoken.map(({ role, text }) => (isTalk ? `${role}: ${text}` : text));
  if (texts.length === 0) throw fieldIssue('input', 'must have a text');
  const question = [...rules, ...texts].filter((text) => text !== '').join('\n\n');
  return { question, attached: attached[0] ?? { fields: {} } };
}

function readItem(item: Item, at: string, attached: Attached[]): Said {
  if ((item.type ?? 'message') !== 'message')
    throw fieldIssue(`${at}.type`, 'must be message: a run is one exchange and calls its tools itself');
  const { role, content } = item;
  if (typeof role !== 'string' || !speakers.includes(role))
    throw fieldIssue(`${at}.role`, `must be one of ${speakers.join(', ')}`);
  if (typeof content === 'string') return { role, text: content };
  if (!Array.isArray(content)) throw fieldIssue(`${at}.content`, 'must be a string or a list of parts');
  const texts = content.flatMap((part: Item | null, index) => {
    const place = `${at}.content[${index}]`;
    const file = readAttached(part, place);
    if (file) attached.push(file);
    return file ? [] : [readText(part, place)];
  });
  return { role, text: texts.join('\n\n') };
}

function readText(part: Item | null, at: string): string {
  if (part?.type === 'input_text' || part?.type === 'output_text') return stringField(part, 'text', at);
  throw fieldIssue(`${at}.type`, 'must be input_text, output_text, input_file or input_image');
}
