import { describeDynamo } from './choose-dynamo.ts';
import { describeSetUp, type SetUp } from './set-up/describe-set-up.ts';
import type { LocalService, PartName } from './start-local.ts';

type Greeted = Pick<LocalService, 'baseUrl' | 'apiKey' | 'setUp' | 'takesRuns' | 'dynamodb'>;

/** What a start prints. Programs read the base URL, the key and the first command, in this order. */
export function greet(service: Greeted, only: PartName | undefined, nowMilliseconds: number): string[] {
  const { baseUrl, apiKey, setUp, takesRuns, dynamodb } = service;
  const tables = dynamodb ? [describeDynamo(dynamodb)] : [];
  if (!baseUrl) return [`Errand's ${only} is running. Stop it with Ctrl-C.`, ...tables];
  const authorization = `-H "Authorization: Bearer ${apiKey ?? '<API key>'}"`;
  return [
    `Errand is running at ${baseUrl}`,
    ...(apiKey ? [`API key: ${apiKey}`] : []),
    ...tables,
    ...(setUp ? ['', ...describeSetUp(setUp, nowMilliseconds), ...standInHint(setUp)] : []),
    '',
    ...(takesRuns
      ? runCommand(baseUrl, authorization)
      : [...withoutRuns(setUp), ...modelsCommand(baseUrl, authorization)]),
    '',
  ];
}

const standInHint = ({ catalogue, standIns }: SetUp): string[] =>
  catalogue.models.every(({ id }) => standIns.has(id))
    ? [
        'Set MODEL_BASE_URL, MODEL_API_KEY and MODEL_ID, or MODEL_CATALOGUE, for models in place of the stand-ins.',
      ]
    : [];

const runCommand = (baseUrl: string, authorization: string): string[] => [
  'Ask something:',
  `  curl -s ${baseUrl}/v1/agents/runs ${authorization} \\`,
  `    -H "Content-Type: application/json" -d '{"question": "Search the web for tide tables"}'`,
];

/** Nothing where the role is missing: the roles say what that means. */
const withoutRuns = (setUp: SetUp | undefined): string[] =>
  setUp?.catalogue.roles.reasoning === undefined
    ? []
    : ['Runs: not available (AGENTS_ENABLED is false).', ''];

const modelsCommand = (baseUrl: string, authorization: string): string[] => [
  'See its models:',
  `  curl -s ${baseUrl}/v1/models ${authorization}`,
];
