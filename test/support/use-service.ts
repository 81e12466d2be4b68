import { beforeAll } from 'vitest';
import { type Provider, startProvider } from './model-server.ts';
import { type ServiceOptions, simpleCatalogue, startTestService, type TestService } from './service.ts';

/**
 * Starts a provider and the service in front of it, for all tests of a file. What the options leave out is as usual;
 * they are asked for when the provider has started, and what earlier `beforeAll` hooks of the file have made.
 */
export const useService = (
  take: (started: { provider: Provider; service: TestService }) => void,
  options: (provider: Provider) => ServiceOptions = () => ({}),
): void =>
  useServiceBefore(startProvider, take, (provider) => ({
    catalogue: simpleCatalogue(provider.baseUrl),
    ...options(provider),
  }));

/** Starts the service in front of another provider. */
export function useServiceBefore<P extends { close(): Promise<void> }>(
  start: () => Promise<P>,
  take: (started: { provider: P; service: TestService }) => void,
  options: (provider: P) => ServiceOptions,
): void {
  beforeAll(async () => {
    const provider = await start();
    const service = await startTestService(options(provider));
    take({ provider, service });
    return async () => {
      await service.stop();
      await provider.close();
    };
  });
}

/** Starts the service without a provider. Its models are stand-ins if the options have no catalogue. */
export function useServiceAlone(
  take: (started: { service: TestService }) => void,
  options: () => ServiceOptions = () => ({}),
): void {
  beforeAll(async () => {
    const service = await startTestService(options());
    take({ service });
    return () => service.stop();
  });
}
