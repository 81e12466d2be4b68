/** What a start offers to try. */
export interface FirstTry {
  baseUrl: string;
  apiKey: string | undefined;
  /** Ids of models by what they are for; absent if there is none. */
  chatModel: string | undefined;
  decisionModel: string | undefined;
  takesRuns: boolean;
  /** Runs may have files, which are read. */
  takesFiles: boolean;
}

const sample = 'samples/harbour-report.pdf';
const aboutSample = 'How many ships called in 2025, and what was the main cause of delays?';

/** Commands that work as they are printed, in the project's folder and offline, each after a line that says what it does. */
export function firstCommands(first: FirstTry): string[] {
  const { takesRuns, chatModel, decisionModel } = first;
  const commands = takesRuns ? [askCommand(first), watchCommand(first)] : [];
  if (decisionModel !== undefined) commands.push(decisionCommand(first, decisionModel));
  else if (chatModel !== undefined) commands.push(chatCommand(first, chatModel));
  return (commands.length > 0 ? commands : [modelsCommand(first)]).flatMap((lines, index) =>
    index === 0 ? lines : ['', ...lines],
  );
}

const authorization = ({ apiKey }: FirstTry): string => `-H "Authorization: Bearer ${apiKey ?? '<API key>'}"`;

function askCommand(first: FirstTry): string[] {
  if (first.takesFiles)
    return [
      'Ask something about the report that comes along:',
      `  curl -s ${first.baseUrl}/v1/agents/runs ${authorization(first)} \\`,
      `    -F "question=${aboutSample}" -F "file=@${sample}"`,
    ];
  const body = { question: 'Remember that the harbour opens at six' };
  return ['Ask something:', ...postCommand(first, '/v1/agents/runs', body)];
}

const watchCommand = (first: FirstTry): string[] => [
  'Watch the newest run to its answer:',
  `  curl -sN ${first.baseUrl}/v1/agents/runs/$(curl -s "${first.baseUrl}/v1/agents/runs?limit=1" \\`,
  `    ${authorization(first)} | cut -d '"' -f 6)/stream ${authorization(first)}`,
];

const decisionCommand = (first: FirstTry, model: string): string[] => [
  'Decide something:',
  ...postCommand(first, '/v1/systemone', {
    model,
    state: 'The parcel arrived broken.',
    questions: { refund: { type: 'noul', instructions: 'Should the parcel be refunded?' } },
  }),
];

const chatCommand = (first: FirstTry, model: string): string[] => [
  'Chat:',
  ...postCommand(first, '/v1/chat/completions', {
    model,
    messages: [{ role: 'user', content: 'What is a tide table?' }],
  }),
];

const postCommand = (first: FirstTry, path: string, body: object): string[] => [
  `  curl -s ${first.baseUrl}${path} ${authorization(first)} \\`,
  `    -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`,
];

const modelsCommand = (first: FirstTry): string[] => [
  'See its models:',
  `  curl -s ${first.baseUrl}/v1/models ${authorization(first)}`,
];
