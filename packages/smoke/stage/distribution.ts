import {
  type DistributionSummary,
  GetDistributionConfigCommand,
  paginateListDistributions,
} from '@aws-sdk/client-cloudfront';
import type { Check } from '../check.ts';
import { Failed, must } from '../outcome.ts';
import { isOfStage, type StageDeps } from './aws.ts';

/** The stage's distribution is the one whose viewer-request function is the stage's. Throws `Failed`. */
async function findDistribution({ cloudfront, stage }: StageDeps): Promise<DistributionSummary> {
  for await (const { DistributionList } of paginateListDistributions({ client: cloudfront }, {})) {
    const found = DistributionList?.Items?.find(({ DefaultCacheBehavior }) =>
      DefaultCacheBehavior?.FunctionAssociations?.Items?.some(({ FunctionARN = '' }) =>
        isOfStage(FunctionARN.split('/').at(-1) ?? '', stage),
      ),
    );
    if (found) return found;
  }
  throw new Failed(`no distribution of this account has an edge function of the stage ${stage}`);
}

/** Where callers reach the stage. */
export async function addressOf(deps: StageDeps): Promise<string> {
  const { Aliases, DomainName } = await findDistribution(deps);
  return `https://${Aliases?.Items?.[0] ?? DomainName}`;
}

/** The host of the default origin. No name in `invalid` is ever anybody's. */
const nowhere = 'unrouted.invalid';

/** CloudFront's own policy that caches nothing. */
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

export const distributionCheck = (deps: StageDeps): Check => ({
  name: 'the distribution',
  async run({ baseUrl }) {
    const { Id } = await findDistribution(deps);
    const address = await addressOf(deps);
    must(address === baseUrl, `the stage is at ${address}, not at ${baseUrl}`);
    const { DistributionConfig } = await deps.cloudfront.send(new GetDistributionConfigCommand({ Id }));
    const { Origins, DefaultCacheBehavior: behavior } = DistributionConfig ?? {};
    const origins = Origins?.Items ?? [];
    const hosts = origins.map(({ DomainName }) => DomainName).join(' ');
    must(hosts === nowhere, `requests that are routed nowhere go to ${hosts}`);
    const protocols = origins.map(({ CustomOriginConfig }) => CustomOriginConfig?.OriginProtocolPolicy);
    must(protocols.join() === 'https-only', `they go there over ${protocols.join()}`);
    must(behavior?.CachePolicyId === cachingDisabled, `its cache policy is ${behavior?.CachePolicyId}`);
    must(behavior?.Compress === false, 'it compresses answers');
    const viewers = behavior?.ViewerProtocolPolicy;
    must(viewers === 'https-only', `its policy for requests in clear is ${viewers}`);
    return `${Id}: the default origin is ${nowhere}, all is HTTPS, nothing is cached or compressed`;
  },
});
