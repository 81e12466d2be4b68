import { tableDefinitions } from '@errand/platform';
import { copyAsset } from './assets.ts';
import { functionShapes, timeoutSecondsOf, toPascalCase } from './functions.ts';
import { metricsNamespace } from './metrics-namespace.ts';
import { createOwnLog } from './own-log.ts';
import { type FunctionName, permissions } from './permissions.ts';
import type { Secrets } from './secrets.ts';
import { locationOf, type Settings } from './settings.ts';
import { toStatements } from './statements.ts';
import type { Stores } from './stores.ts';
import type { Tables } from './tables.ts';

export interface Surroundings {
  settings: Settings;
  stores: Stores;
  secrets: Secrets;
  publicUrl: $util.Input<string>;
  /** Reads the documents of those functions that need it. */
  converter?: sst.aws.Function;
}

type FunctionOptions = Partial<sst.aws.FunctionArgs> & {
  /** What this function is told alone. */
  environment?: Record<string, $util.Input<string>>;
};

/** Makes a function with its own permissions. Nothing is linked, because a link grants every action on a resource. */
export function createFunction(
  name: FunctionName,
  surroundings: Surroundings,
  { environment, ...more }: FunctionOptions = {},
): sst.aws.Function {
  const { settings, stores, converter } = surroundings;
  const shape = functionShapes[name];
  const id = `${toPascalCase(name)}Handler`;
  const log = createOwnLog(id, name, settings);
  const reserved = settings.reservedConcurrency?.[name];
  const vpc = shape.models ? settings.vpc : undefined;
  return new sst.aws.Function(id, {
    handler: `functions/${name}.handler`,
    runtime: 'nodejs24.x',
    architecture: 'arm64',
    memory: `${shape.memoryMegabytes} MB`,
    timeout: `${timeoutSecondsOf(shape, settings)} seconds`,
    ...(reserved !== undefined && { concurrency: { reserved } }),
    ...(vpc && { vpc: { privateSubnets: vpc.subnets, securityGroups: vpc.securityGroups } }),
    nodejs: { minify: true, splitting: true },
    versioning: !$dev,
    logging: { format: 'json', logGroup: log.name },
    copyFiles: [
      ...shape.assets.map(copyAsset),
      ...(shape.models ? [{ from: settings.catalogue, to: 'catalogue.json' }] : []),
    ],
    permissions: [...toStatements(permissions[name], stores, converter), log.permission],
    transform: { role: (role) => narrowRole(role, vpc !== undefined) },
    environment: { ...environmentOf(name, surroundings, 'catalogue.json'), ...environment },
    ...more,
  });
}

/** AWS's own policy for a function in a network: its interfaces have no names before they are made. */
const networkPolicy = 'arn:aws:iam::aws:policy/service-role/AWSLambdaENIManagementAccess';

/** A version calls the version that it was deployed with, so that both go back together. */
const versionOf = ({ name, nodes }: sst.aws.Function): $util.Output<string> =>
  $dev ? name : $interpolate`${name}:${nodes.function.version}`;

/** Only live development needs SST 4.17's default: everybody in the account may assume a function's role. */
const narrowRole = (role: aws.iam.RoleArgs, inNetwork: boolean): undefined => {
  role.managedPolicyArns = inNetwork ? [networkPolicy] : [];
  if (!$dev)
    role.assumeRolePolicy = aws.iam.assumeRolePolicyForPrincipal({ Service: 'lambda.amazonaws.com' });
};

/** The environment of a function, or of a container that works like it. */
export function environmentOf(
  name: FunctionName,
  surroundings: Surroundings,
  catalogue: string,
): Record<string, $util.Input<string>> {
  const { secrets, converter } = surroundings;
  const shape = functionShapes[name];
  return {
    ...sharedEnvironment(surroundings, shape.search),
    ...(shape.paths.length > 0 && { ORIGIN_SECRET: secrets.acceptedOrigins }),
    ...(shape.models && {
      ...secrets.models,
      MODEL_CATALOGUE: catalogue,
      CARBON_API_KEY: secrets.carbon,
      OTEL_EXPORTER_OTLP_HEADERS: secrets.otelHeaders,
    }),
    ...(permissions[name].converts && converter && { CONVERTER_FUNCTION: versionOf(converter) }),
    ...(shape.seals && { STORE_SECRET: secrets.store }),
    ...(shape.links && { LINK_SECRET: secrets.link }),
    ...(shape.search && { SEARCH_API_KEY: secrets.search }),
  };
}

/** The environment that functions share. Without `search`, settings of the search provider are left out. */
function sharedEnvironment(
  { settings, stores, publicUrl }: Surroundings,
  search: boolean,
): Record<string, $util.Input<string>> {
  const variables = Object.entries(settings.environment).filter(
    ([name]) => search || !name.startsWith('SEARCH_'),
  );
  return {
    ...Object.fromEntries(variables),
    ...(settings.runReadableDays !== undefined && { RUN_READABLE_DAYS: String(settings.runReadableDays) }),
    ...(settings.answerSeconds !== undefined && { ANSWER_SECONDS: String(settings.answerSeconds) }),
    LOCATION: locationOf(settings.region),
    METRICS_NAMESPACE: metricsNamespace(),
    TABLE_NAMES: tableNames(stores.tables),
    QUEUE_URL: stores.queue.work.url,
    WEBHOOK_QUEUE_URL: stores.queue.webhooks.url,
    BUCKET_NAME: stores.files.name,
    PUBLIC_URL: publicUrl,
  };
}

function tableNames(tables: Tables): $util.Output<string> {
  const ids = Object.keys(tableDefinitions) as (keyof Tables)[];
  return $jsonStringify(Object.fromEntries(ids.map((id) => [id, tables[id].name])));
}
