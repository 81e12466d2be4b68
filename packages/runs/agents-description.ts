import { jsonAnswer, named, type RouteDescription } from '@errand/platform';
import * as v from 'valibot';
import { agentListing, agentMarkdown } from './listing.ts';
import { agentListingSchema, serverListingSchema } from './schema.ts';

const listing = jsonAnswer('The agents.', named('AgentList', agentListingSchema), agentListing());

export const listAgents: RouteDescription = {
  summary: 'List the agents',
  description:
    "As markdown without an `Authorization` header, or if `Accept` prefers `text/markdown`; as JSON otherwise. The markdown has `default` and the enabled agents of the operator; the JSON has those that the key may use, one's own drafts among them.",
  tag: 'runs',
  access: 'keyOptional',
  responses: {
    200: {
      ...listing,
      content: {
        ...listing.content,
        'text/markdown': { schema: v.string(), example: agentMarkdown(agentListing()) },
      },
    },
  },
};

export const listServers: RouteDescription = {
  summary: 'List the servers of tools that the operator offers',
  description: 'A run names them in `mcp`.',
  tag: 'runs',
  responses: {
    200: jsonAnswer('The servers that this account may use.', named('ServerList', serverListingSchema), {
      servers: [{ name: 'stock', allowedTools: ['pieces'] }],
    }),
  },
};
