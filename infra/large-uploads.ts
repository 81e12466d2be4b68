import { environmentOf, type Surroundings } from './create-function.ts';
import { permissions } from './permissions.ts';
import { toStatements } from './statements.ts';

const port = 8080;

/** If the stage's settings ask for it, runs the agents' app in a container for forms that are too large for Lambda. */
export function createLargeUploads(surroundings: Surroundings): void {
  const { settings, stores, secrets } = surroundings;
  const { largeUploads } = settings;
  if (!largeUploads) return;
  const cluster = new sst.aws.Cluster('Containers', { vpc: new sst.aws.Vpc('Network') });
  new sst.aws.Service('LargeUploads', {
    cluster,
    architecture: 'arm64',
    // In live development, too, the router sends forms here.
    dev: false,
    cpu: '0.5 vCPU',
    memory: '2 GB',
    image: { context: '.', dockerfile: 'infra/large-uploads.Dockerfile' },
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
      ORIGIN_SECRET: secrets.origin,
      STORE_SECRET: secrets.store,
      LINK_SECRET: secrets.link,
      MODEL_CATALOGUE: settings.catalogue,
      ...secrets.models,
    },
  });
}
