import type { ErrorTable, UnresolvedReason } from '@errand/platform';

const explanations: Record<UnresolvedReason, string> = {
  unknown: 'no agent of this name is visible to you',
  disabled: 'the agent is disabled',
  unknown_version: 'this version of the agent was never published',
  unversioned: 'the agent has no versions, so that none can be named',
};

const envelope = (code: string, message: string, reason?: UnresolvedReason) => ({
  error: { message, type: 'invalid_request_error', param: 'agent', code, reason },
});

/** The answers to an `agent` field that cannot be resolved, or to its `If-Match`, and to a key that is bound to other agents. */
export const agentFieldErrors = {
  agent_unresolved: ({ reason, name }) => ({
    status: 400,
    body: envelope('agent_unresolved', `Agent ${JSON.stringify(name)}: ${explanations[reason]}.`, reason),
  }),
  agent_changed: ({ name }) => ({
    status: 412,
    body: envelope('agent_changed', `Agent ${JSON.stringify(name)} is not as If-Match says.`),
  }),
  agent_forbidden: ({ agent }) => ({
    status: 403,
    body: `This key may not use the agent ${JSON.stringify(agent)}.`,
  }),
} satisfies Partial<ErrorTable>;
