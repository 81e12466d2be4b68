import { heldClock } from '../../support/accounts.ts';
import { type ScriptedUpstream, startUpstream } from '../../support/scripted-upstream.ts';
import { simpleCatalogue, startTestService, type TestService } from '../../support/service.ts';

/** The whole service, and the provider of all of its models. */
export interface Errand {
  url: string;
  key: string;
  service: TestService;
  upstream: ScriptedUpstream;
  stop(): Promise<void>;
}

/** A decision model that is asked at the address of the others. */
const judge = (baseUrl: string) => ({
  id: 'judge',
  kind: 'decision',
  description: 'Decides.',
  releaseDate: '2026-01-31',
  upstream: { baseUrl: new URL(baseUrl).origin, model: 'upstream-judge' },
  price: { inputPerMillionTokens: 0.1 },
  contextTokens: 32_768,
});

const meaning = (baseUrl: string) => ({
  id: 'meaning',
  kind: 'embedding',
  upstream: { baseUrl, model: 'upstream-meaning' },
  price: { inputPerMillionTokens: 1 },
});

/** `more` are models of other providers. */
export async function startErrand(env: Record<string, string> = {}, more: object[] = []): Promise<Errand> {
  const upstream = await startUpstream();
  const { baseUrl } = upstream;
  const service = await startTestService({
    catalogue: simpleCatalogue(baseUrl, {
      models: [judge(baseUrl), meaning(baseUrl), ...more],
      roles: { decision: 'judge' },
    }),
    env,
    // No window of a rate ends between two requests.
    ...(env.RATE_LIMIT_REQUESTS && { clock: heldClock(new Date().toISOString()) }),
  });
  return {
    url: service.baseUrl,
    key: service.apiKey,
    service,
    upstream,
    async stop() {
      await service.stop();
      await upstream.close();
    },
  };
}
