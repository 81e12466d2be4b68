import { jsonAnswer, named, type RouteDescription } from '@errand/platform';
import * as v from 'valibot';
import { agentListing, agentMarkdown } from './listing.ts';
import { agentListingSchema } from './schema.ts';

const listing = jsonAnswer('The agents.', named('AgentList', agentListingSchema), agentListing);

export const listAgents: RouteDescription = {
  summary: 'List the agents',
  description:
    'As markdown without an `Authorization` header, or if `Accept` prefers `text/markdown`; as JSON otherwise.',
  tag: 'runs',
  access: 'keyOptional',
  responses: {
    200: {
      ...listing,
      content: {
        ...listing.content,
        'text/markdown': { schema: v.string(), example: agentMarkdown(agentListing) },
      },
    },
  },
};
