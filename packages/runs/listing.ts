import { listedTools } from '@errand/agent';
import { type AgentSummary, defaultAgent } from '@errand/agents';
import * as v from 'valibot';
import { type AgentListing, createRunSchema, listedFields } from './schema.ts';

type InputFields = AgentListing['agents'][number]['input']['properties'];

function describeField(name: (typeof listedFields)[number]) {
  const schema = createRunSchema.entries[name];
  const description = v.getDescription('wrapped' in schema ? schema.wrapped : schema) ?? '';
  return [name, { type: 'string', description }] as const;
}

type ListedAgent = AgentListing['agents'][number];

const input: ListedAgent['input'] = {
  type: 'object',
  properties: Object.fromEntries(listedFields.map(describeField)) as InputFields,
  required: ['question'],
};

/** The service's own agent. */
const own: ListedAgent = {
  id: defaultAgent,
  displayName: 'Default agent',
  description:
    'Works on one question with tools: searches the web, reads pages, documents, images and recordings, remembers values and saves files. Then it answers.',
  tools: [...listedTools],
  input,
};

const listed = ({ name, description, scope, version, enabled }: AgentSummary): ListedAgent => ({
  id: name,
  displayName: name,
  description,
  input,
  scope,
  version,
  enabled,
});

/** The answer of `GET /v1/agents`: the service's own agent, if it may be used, then stored ones. Its markdown form is made from it. */
export const agentListing = (stored: readonly AgentSummary[] = [], hasOwn = true): AgentListing => ({
  agents: [...(hasOwn ? [own] : []), ...stored.map(listed)],
});

export function agentMarkdown({ agents }: AgentListing): string {
  const entries = agents.map(({ id, displayName, description, tools, input }) => {
    const fields = Object.entries(input.properties).map(([name, { type, description: meaning }]) => {
      const required = (input.required as readonly string[]).includes(name) ? 'required' : 'optional';
      return `- \`${name}\` (${type}, ${required}): ${meaning}`;
    });
    const parts = tools
      ? [`Tools: ${tools.map((tool) => `\`${tool}\``).join(', ')}`, `### Input\n\n${fields.join('\n')}`]
      : [`The input is the same, with \`"agent": "${id}"\`.`];
    return [`## ${displayName} (\`${id}\`)`, ...(description ? [description] : []), ...parts].join('\n\n');
  });
  return `# Agents\n\n${usage}\n\n${entries.join('\n\n')}\n`;
}

const usage = `A run is asynchronous. Every request but this one carries \`Authorization: Bearer <API key>\`.

1. \`POST /v1/agents/runs\` with the input below as JSON, or as multipart/form-data with \`question\` and \`file\`. The answer is 202 with \`agentId\`.
2. \`GET /v1/agents/runs/{agentId}/stream\` sends the run's events as they happen; \`Last-Event-ID\` resumes after an event.
3. \`GET /v1/agents/runs/{agentId}\` has \`status\` and, once it is \`succeeded\`, \`result\`.`;
