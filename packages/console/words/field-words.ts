/** What pages call the fields of requests, whose paths the service's refusals begin with. */
const fieldWords: Record<string, string> = {
  url: 'Address',
  description: 'What it is for',
  events: 'Send an event when',
  question: 'Question',
  maxCredits: 'Spending limit',
  outputSchema: 'Shape of the result',
  name: 'Name',
  cron: 'Times',
  every: 'Every',
  until: 'Until',
  timeZone: 'Time zone',
  instructions: 'Instructions',
  mcp: 'Servers of tools',
  'mcp.url': 'The address of the server',
  'mcp.label': 'The name of the server',
  'mcp.authorization': 'The token of the server',
};

const path = /^[a-z]\w*(?:\[\d+\]|\.\w+)*(?=: )/gim;

/** A refusal with the fields' names in place of their paths: `mcp[0].url: ...` becomes `The address of the server: ...`. */
export const nameFields = (detail: string): string =>
  detail.replace(path, (found) => {
    const field = found.replaceAll(/\[\d+\]/g, '');
    return Object.hasOwn(fieldWords, field) ? fieldWords[field]! : found;
  });
