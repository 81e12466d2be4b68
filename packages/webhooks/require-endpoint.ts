import { fieldIssue, type Principal } from '@errand/platform';
import type { WebDeps } from '@errand/web';
import type { WebhookStoreDeps } from './deps.ts';
import { requireAddress } from './require-address.ts';
import { queryEndpoints } from './store.ts';

/** Throws `invalid_request` if the end of a run cannot be told to this address: no endpoint's secret would sign it. */
export async function requireEndpoint(
  deps: WebhookStoreDeps & { web: Pick<WebDeps, 'allowedHosts'> },
  { accountId, keyId }: Principal,
  field: string,
  url: string,
): Promise<void> {
  requireAddress(deps.web, field, url);
  const endpoints = await queryEndpoints(deps, { accountId, keyId });
  if (endpoints.length === 0)
    throw fieldIssue(
      field,
      'needs a webhook of this key, whose secret signs: make one with POST /v1/webhooks',
    );
}
