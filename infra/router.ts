import { viewerRequest } from './edge.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';

/** Errors are kept for 10 s whatever a policy says, unless they are named: one caller's would be another's answer. */
const uncachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((errorCode) => ({
  errorCode,
  errorCachingMinTtl: 0,
}));

/** CloudFront's own policy that caches nothing. */
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

/** One domain for all paths. */
export function createRouter(settings: Settings, secrets: Secrets): sst.aws.Router {
  const uploadHost = settings.largeUploads?.domain;
  return new sst.aws.Router('Router', {
    ...(settings.domain && { domain: settings.domain }),
    edge: {
      viewerRequest: {
        injection: secrets.origin.apply((originSecret) =>
          viewerRequest({ originSecret, ...(uploadHost !== undefined && { uploadHost }) }),
        ),
      },
    },
    transform: {
      cdn: (args) => {
        args.customErrorResponses = uncachedErrors;
        // SST's own policy would let CloudFront answer one caller's request with what it fetched for another's at the
        // same moment: the key is not part of what it tells requests apart by.
        args.defaultCacheBehavior = $resolve(args.defaultCacheBehavior).apply((behavior) => ({
          ...behavior,
          cachePolicyId: cachingDisabled,
          // Compressing holds events back.
          compress: false,
        }));
      },
    },
  });
}
