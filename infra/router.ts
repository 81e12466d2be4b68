import { viewerRequest } from './edge.ts';
import { orderRouteWrites } from './order-route-writes.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';

/** CloudFront caches errors for 10 s unless they are listed here: one caller would get another caller's error. */
const uncachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((errorCode) => ({
  errorCode,
  errorCachingMinTtl: 0,
}));

/** CloudFront's own policy that caches nothing. */
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

/** CloudFront's own policy of security headers, for the errors that CloudFront itself answers. */
const securityHeadersPolicy = '67f7725c-6f97-4210-82d7-5512b31e9d03';

/**
 * The origin of requests that the edge function routes nowhere. SST's default is a host of its own, over plain HTTP: it
 * would be sent callers' keys. No name in `invalid` (RFC 2606) is ever anybody's.
 */
const nowhere = 'unrouted.invalid';

/** SST's code for sites. The router serves no site, and the code would take half of the 10 KB that CloudFront allows. */
const codeForSites = /async function routeSite\(.*?(?=function setForwardedHost\()/s;

/**
 * A resource with an id is read and not made. SST would make a policy for each stage, and an account may have 20. With
 * SST's policy, CloudFront would answer two callers who ask for the same path at the same moment with one response: the
 * API key is not part of its cache key.
 */
const useCachingDisabled = (
  _: aws.cloudfront.CachePolicyArgs,
  options: $util.CustomResourceOptions,
): undefined => {
  options.id = cachingDisabled;
};

/** One domain for all paths. */
export function createRouter(
  settings: Settings,
  secrets: Secrets,
  { webAclId }: { webAclId?: $util.Input<string> } = {},
): sst.aws.Router {
  const uploadHost = settings.largeUploads?.domain;
  orderRouteWrites();
  $transform(aws.cloudfront.Function, (args) => {
    args.code = $util.output(args.code).apply((code) => code.replace(codeForSites, ''));
  });
  return new sst.aws.Router('Router', {
    domain: settings.domain || undefined,
    edge: {
      viewerRequest: {
        injection: secrets.origin.apply((originSecret) => viewerRequest({ originSecret, uploadHost })),
      },
    },
    transform: {
      cachePolicy: useCachingDisabled,
      cdn: (args) => {
        args.customErrorResponses = uncachedErrors;
        args.webAclArn = webAclId;
        args.origins = $resolve(args.origins).apply((origins) =>
          origins.map(({ customOriginConfig, ...origin }) => ({
            ...origin,
            domainName: nowhere,
            ...(customOriginConfig && {
              customOriginConfig: { ...customOriginConfig, originProtocolPolicy: 'https-only' },
            }),
          })),
        );
        args.defaultCacheBehavior = $resolve(args.defaultCacheBehavior).apply((behavior) => ({
          ...behavior,
          responseHeadersPolicyId: securityHeadersPolicy,
          // Compression would hold back the events of a stream.
          compress: false,
        }));
      },
    },
  });
}
