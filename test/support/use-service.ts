import { beforeAll } from 'vitest';
import { type Provider, startProvider } from './model-server.ts';
import { type ServiceOptions, simpleCatalogue, startTestService, type TestService } from './service.ts';

/**
 * Starts a provider and the service in front of it, for all tests of a file. What the options leave out is as usual;
 * they are asked for when the provider has started, and what earlier `beforeAll` hooks of the file have made.
 */
export function useService(
  take: (started: { provider: Provider; service: TestService }) => void,
  options: (provider: Provider) => ServiceOptions = () => ({}),
): void {
  beforeAll(async () => {
    const provider = await startProvider();
    const service = await startTestService({
      catalogue: simpleCatalogue(provider.baseUrl),
      ...options(provider),
    });
    take({ provider, service });
    return async () => {
      await service.stop();
      await provider.close();
    };
  });
}
