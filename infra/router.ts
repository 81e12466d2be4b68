import { viewerRequest } from './edge.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';

/** CloudFront caches errors for 10 s unless they are listed here: one caller would get another caller's error. */
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
        // With SST's own policy, CloudFront would answer two callers who ask for the same path at the same moment with
        // one response: the API key is not part of its cache key.
        args.defaultCacheBehavior = $resolve(args.defaultCacheBehavior).apply((behavior) => ({
          ...behavior,
          cachePolicyId: cachingDisabled,
          // Compression would hold back the events of a stream.
          compress: false,
        }));
      },
    },
  });
}
