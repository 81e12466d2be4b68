import { nameableTools } from '@errand/agent';
import { defaultAgent, readAgentReference } from '@errand/agents';
import { DomainError, fieldIssue, isUuid, validate } from '@errand/platform';
import { type CreateRunBody, createRunSchema } from '@errand/runs';
import type { ReadResponsesRequest } from '../request/read-request.ts';
import { refuseUnknown } from '../request/refuse-fields.ts';
import { type Item, logprobsName, type ResponsesRequest } from '../request/schema.ts';
import type { Attached } from './attached.ts';
import { isFunction, toRunFunctions } from './functions.ts';
import { readInput } from './read-input.ts';
import { isServer, toApproveNames, toRunServers } from './remote-servers.ts';
import { readTextFormat } from './text-format.ts';

const prefix = 'agent:';

/** The model whose responses are runs by an agent: its name, and its version if it has one. */
export const modelOfAgent = (name: string, version?: number): string =>
  version === undefined ? prefix + name : `${prefix}${name}@${version}`;

/** The model whose responses are runs by the service's own agent. */
export const agentModel = modelOfAgent(defaultAgent);

export const isAgent = (model: string): boolean => model.startsWith(prefix);

/** The run that a request asks for, and its file if the request has the bytes. Throws `DomainError`. */
export function readRunRequest({ request, text }: ReadResponsesRequest): {
  body: CreateRunBody;
  marks: Record<string, string>;
  file?: Attached['file'];
} {
  const { model, metadata, tools } = request;
  const agent = model.slice(prefix.length);
  if (!readAgentReference(agent))
    throw new DomainError('agent_unresolved', { reason: 'unknown', name: agent });
  refuseRunFields(request);
  const { fields, attached } = readInput(request);
  const { outputSchema, format } = readTextFormat(request, text) ?? {};
  const body = validate(createRunSchema, {
    ...fields,
    ...attached.fields,
    ...(metadata && { metadata }),
    ...(tools && tools.length > 0 && toolFields(tools)),
    ...('skills' in request && { skills: request.skills }),
    agent,
  });
  return {
    body: { ...body, outputSchema },
    marks: {
      ...marksOf(request),
      ...(model !== agentModel && { model }),
      ...(format !== undefined && { format }),
    },
    file: attached.file,
  };
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
  const { previous_response_id: previous, store, tool_choice, text, reasoning } = request;
  const { include, truncation, parallel_tool_calls } = request;
  refuse(
    'previous_response_id',
    previous && !isUuid(previous),
    'is no run: a run goes on from runs alone, so send what a chat model said as input',
  );
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
  refuse('text.verbosity', text?.verbosity);
  refuse('reasoning.effort', reasoning?.effort);
  refuse('reasoning.summary', reasoning?.summary);
}

function toolFields(tools: readonly Item[]): object {
  const mcp = toRunServers(tools);
  const functions = toRunFunctions(tools);
  const approve = toApproveNames(tools);
  return {
    tools: toRunTools(tools),
    mcp,
    ...(functions.length > 0 && { functions }),
    ...(approve.length > 0 && { approve }),
  };
}

/** Changes nothing that a run would do. */
const ignored = ['type', 'search_context_size'];

/** The run's tools that a request names. Who may search may open what was found. Throws `invalid_request`. */
const toRunTools = (tools: readonly Item[]): string[] => [
  ...new Set(
    tools.flatMap((tool, index) => {
      if (isServer(tool) || isFunction(tool)) return [];
      const at = `tools[${index}]`;
      const name = tool.type === 'web_search_preview' ? 'web_search' : tool.type;
      if (typeof name !== 'string' || !nameableTools.some((one) => one === name))
        throw fieldIssue(`${at}.type`, `must be function, mcp or one of ${nameableTools.join(', ')}`);
      const other = Object.keys(tool).find(
        (field) => !ignored.includes(field) && (tool[field] ?? null) !== null,
      );
      if (other !== undefined) throw fieldIssue(`${at}.${other}`, 'is not taken by runs');
      return name === 'web_search' ? [name, 'web_crawl'] : [name];
    }),
  ),
];
