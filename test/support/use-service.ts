import { beforeAll } from 'vitest';
import { type Provider, startProvider } from './model-server.ts';
import { simpleCatalogue, startTestService, type TestService } from './service.ts';

/** Starts a provider and the service in front of it, for all tests of a file. */
export function useService(take: (started: { provider: Provider; service: TestService }) => void): void {
  beforeAll(async () => {
    const provider = await startProvider();
    const service = await startTestService({ catalogue: simpleCatalogue(provider.baseUrl) });
    take({ provider, service });
    return async () => {
      await service.stop();
      await provider.close();
    };
  });
}
