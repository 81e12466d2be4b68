import {
  jsonAnswer,
  jsonContent,
  limits,
  named,
  numberParameter,
  type RouteDescription,
  refusalSchema,
  routeForbidden,
  textAnswer,
  textContent,
  textParameter,
} from '@errand/platform';
import {
  agentDetailSchema,
  agentPatchSchema,
  agentVersionListSchema,
  agentVersionSchema,
  newAgentSchema,
} from './schema.ts';

const definition = {
  instructions: 'Look for what is new since yesterday. Cite each page.',
  tools: ['web_search' as const, 'web_crawl' as const],
  maxCredits: '0.50',
  open: ['maxCredits' as const],
};
const agent = {
  id: 'agent_1',
  name: 'researcher',
  description: 'Tells what is new about a topic.',
  enabled: true,
  scope: 'user',
  version: 3,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:05:00.000Z',
  ...definition,
};
const version = {
  number: 3,
  digest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  createdAt: '2026-11-21T10:05:00.000Z',
};

const off = jsonAnswer(
  'A store fails or does not answer; retry. Text where runs are not switched on.',
  refusalSchema,
  { error: 'Service temporarily at capacity. Please retry.' },
);
const always = {
  ...routeForbidden('runs'),
  503: {
    ...off,
    name: 'StoredAgentsUnavailable',
    content: { ...off.content, ...textContent('Agent service is not enabled') },
    optionalHeaders: ['Retry-After'],
  },
} as const;
const notFound = {
  404: textAnswer('There is no such agent, or none that the caller may see or change.', 'Agent not found'),
};
const stale = {
  412: textAnswer(
    'The agent is not as `If-Match` expects.',
    'The resource has changed since the given ETag.',
  ),
};
const ifMatch = {
  'If-Match': textParameter(
    'Entity tags that the agent must still have; without it the last write wins.',
    '"3-agent_1"',
  ),
};
const invalid = {
  400: textAnswer('What is wrong, one line each.', 'Invalid agent:\nname: is required'),
  413: textAnswer('The body is too large.', `The request body is larger than ${limits.jsonBodyBytes} bytes.`),
};
const taken = {
  409: textAnswer('The caller has an agent of this name.', 'You already have an agent named researcher.'),
};
const answered = {
  ...jsonAnswer('The agent.', named('Agent', agentDetailSchema), agent),
  headers: ['ETag'],
} as const;
const path = { name: textParameter('The name of an agent.', 'researcher') };
const versionPath = { ...path, number: textParameter('The number of a published version.', '3') };

export const createAgent: RouteDescription = {
  summary: 'Create an agent',
  description: 'Stores what its runs begin with: instructions, and what a creation of a run may say.',
  tag: 'runs',
  body: jsonContent(named('NewAgent', newAgentSchema), {
    name: agent.name,
    description: agent.description,
    ...definition,
  }),
  responses: {
    201: {
      ...jsonAnswer('The agent, enabled, of version 1.', named('Agent', agentDetailSchema), {
        ...agent,
        version: 1,
      }),
      headers: ['ETag', 'Location'],
    },
    ...invalid,
    ...taken,
    ...always,
  },
};

export const getAgent: RouteDescription = {
  summary: 'Read an agent',
  description:
    "One's own of this name, else the first enabled one, of the organisation and then of the operator.",
  tag: 'runs',
  path,
  headers: {
    'If-None-Match': textParameter('Entity tags that the caller has at hand.', '"3-agent_1"'),
  },
  responses: {
    200: answered,
    304: { description: 'The caller has it already.', headers: ['ETag'] },
    ...notFound,
    ...always,
  },
};

export const updateAgent: RouteDescription = {
  summary: 'Change an agent',
  description:
    "Changes at least one of its fields; null takes one of the definition away. Another definition is published as the agent's next version.",
  tag: 'runs',
  path,
  headers: ifMatch,
  body: jsonContent(named('AgentPatch', agentPatchSchema), { enabled: false, maxCredits: null }),
  responses: { 200: answered, ...invalid, ...notFound, ...taken, ...stale, ...always },
};

export const deleteAgent: RouteDescription = {
  summary: 'Delete an agent',
  description: 'All its versions are gone, and its name is free. Runs by it go on.',
  tag: 'runs',
  path,
  headers: ifMatch,
  responses: { 204: { description: 'The agent is gone.' }, ...notFound, ...stale, ...always },
};

export const listAgentVersions: RouteDescription = {
  summary: 'List what was published of an agent',
  description: 'Newest first, without definitions.',
  tag: 'runs',
  path,
  query: {
    limit: numberParameter('Versions on the page.', {
      minimum: 1,
      maximum: limits.skillVersionsPerPage,
      fallback: limits.skillVersionsPerPage,
    }),
    cursor: textParameter("The page before's `cursor`.", '3'),
  },
  responses: {
    200: jsonAnswer(
      'A page; `cursor` is there while more follow.',
      named('AgentVersionList', agentVersionListSchema),
      { versions: [version] },
    ),
    400: textAnswer('A wrong parameter.', 'Invalid query:\nlimit: must be a whole number'),
    ...notFound,
    ...always,
  },
};

export const getAgentVersion: RouteDescription = {
  summary: 'Read a published version of an agent',
  description: 'The version with its definition.',
  tag: 'runs',
  path: versionPath,
  responses: {
    200: jsonAnswer('The version.', named('AgentVersion', agentVersionSchema), { ...version, ...definition }),
    ...notFound,
    ...always,
  },
};

export const restoreAgentVersion: RouteDescription = {
  summary: 'Publish an earlier version of an agent again',
  description: 'The definition of the version becomes the next version of the agent.',
  tag: 'runs',
  path: versionPath,
  headers: ifMatch,
  responses: { 200: answered, ...notFound, ...stale, ...always },
};
