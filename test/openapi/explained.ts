/** A finding of a checker that stays, and why. */
interface Explained {
  rule: string;
  /** Where it is found: a path of keys in the document, joined by spaces. */
  at: string;
  because: string;
}

export const explained: Explained[] = [
  {
    rule: 'operation-2xx-response',
    at: 'paths /v1/files/{agentId}/{name} get responses',
    because: 'A link to a saved file leads on to the storage: its only success is a 302.',
  },
  {
    rule: 'operation-4xx-response',
    at: 'paths /healthz get responses',
    because: 'Health is asked without a key, parameters or a body, so that no request is wrong.',
  },
  {
    rule: 'operation-4xx-response',
    at: 'paths /livez get responses',
    because: 'The same.',
  },
  {
    rule: 'operation-4xx-response',
    at: 'paths /openapi.json get responses',
    because: 'The same.',
  },
  {
    rule: 'no-ambiguous-paths',
    at: 'paths /v1/agents/{name}/versions',
    because: 'No agent is called `runs`: the name is reserved, and the route leaves its paths alone.',
  },
  {
    rule: 'info-contact',
    at: 'info',
    because: 'Whom to ask is for each operator to say, and the document is the same for all of them.',
  },
];
