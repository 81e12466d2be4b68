import { describeDynamo } from './choose-dynamo.ts';
import { firstCommands } from './first-commands.ts';
import { describeSetUp, type SetUp } from './set-up/describe-set-up.ts';
import type { LocalService, PartName } from './start-local.ts';

type Greeted = Pick<
  LocalService,
  'baseUrl' | 'apiKey' | 'setUp' | 'takesRuns' | 'takesFiles' | 'pages' | 'dynamodb'
>;

/** What a start prints: the console for people, then what programs read: the base URL, the key and the first command, in this order. */
export function greet(service: Greeted, only: PartName | undefined, nowMilliseconds: number): string[] {
  const { baseUrl, apiKey, setUp, takesRuns, takesFiles, pages, dynamodb } = service;
  const tables = dynamodb ? [describeDynamo(dynamodb)] : [];
  if (!baseUrl) return [`Errand's ${only} is running. Stop it with Ctrl-C.`, ...tables];
  const page = (path: string, name: string) => (pages.has(path) ? [`${name}: ${baseUrl}${path}`] : []);
  return [
    ...page('/console', 'Console'),
    `Errand is running at ${baseUrl}`,
    ...(apiKey ? [`API key: ${apiKey}`] : []),
    ...tables,
    ...page('/docs', 'API reference'),
    ...(setUp ? ['', ...describeSetUp(setUp, nowMilliseconds), ...standInHint(setUp)] : []),
    '',
    ...(takesRuns ? [] : withoutRuns(setUp)),
    ...firstCommands({
      baseUrl,
      apiKey,
      takesRuns,
      takesFiles,
      chatModel: setUp?.catalogue.roles.reasoning,
      decisionModel: setUp?.catalogue.roles.decision,
    }),
    '',
  ];
}

const standInHint = ({ catalogue, standIns }: SetUp): string[] =>
  catalogue.models.every(({ id }) => standIns.has(id))
    ? [
        'Set MODEL_BASE_URL, MODEL_API_KEY and MODEL_ID, or MODEL_CATALOGUE, for models in place of the stand-ins.',
      ]
    : [];

/** Nothing where the role is missing: the roles say what that means. */
const withoutRuns = (setUp: SetUp | undefined): string[] =>
  setUp?.catalogue.roles.reasoning === undefined
    ? []
    : ['Runs: not available (AGENTS_ENABLED is false).', ''];
