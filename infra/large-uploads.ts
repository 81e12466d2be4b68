import { environmentOf, type Surroundings } from './create-function.ts';
import { permissions } from './permissions.ts';
import { toStatements } from './statements.ts';

const port = 8080;

/**
 * If the stage's settings ask for it, runs the agents' app in a container for forms that are too large for Lambda. Returns
 * its host, which is known once the container takes requests.
 */
export function createLargeUploads(surroundings: Surroundings): $util.Output<string> | undefined {
  const { settings, stores, secrets } = surroundings;
  const { largeUploads } = settings;
  if (!largeUploads) return undefined;
  const cluster = new sst.aws.Cluster('Containers', { vpc: new sst.aws.Vpc('Network') });
  const { nodes } = new sst.aws.Service('LargeUploads', {
    cluster,
    // Another secret of the edge is sent only to containers that accept it.
    wait: true,
    architecture: 'arm64',
    // In live development, too, the router sends forms here.
    dev: false,
    cpu: '0.5 vCPU',
    memory: '2 GB',
    image: { context: '.', dockerfile: 'infra/container.Dockerfile' },
    loadBalancer: {
      // Requests carry API keys, so TLS is the only way in.
      domain: largeUploads.domain,
      rules: [{ listen: '443/https', forward: `${port}/http` }],
      health: { [`${port}/http`]: { path: '/healthz', successCodes: '200' } },
    },
    permissions: toStatements(permissions.agents, stores),
    transform: {
      // SST 4.17 would let the execution role read every secret of the account, and let people open a shell.
      executionRole: { inlinePolicies: [] },
      service: { enableExecuteCommand: false },
    },
    environment: {
      ...environmentOf(surroundings, false),
      HOST: '0.0.0.0',
      PORT: String(port),
      AWS_REGION: settings.region,
      ORIGIN_SECRET: secrets.acceptedOrigins,
      STORE_SECRET: secrets.store,
      LINK_SECRET: secrets.link,
      MODEL_CATALOGUE: settings.catalogue,
      ...secrets.models,
    },
  });
  return nodes.service.id.apply(() => largeUploads.domain);
}
