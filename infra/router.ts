import { randomUUID } from 'node:crypto';
import { edgeCode, storedValue } from './edge.ts';
import { chatHostOf } from './network.ts';
import { domainOf, type Settings } from './settings.ts';

/** CloudFront caches errors for 10 s unless they are listed here: one caller would get another caller's error. */
const uncachedErrors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((errorCode) => ({
  errorCode,
  errorCachingMinTtl: 0,
}));

/**
 * CloudFront's own policy that caches nothing. With SST's, which has a lifetime of 0, CloudFront would answer two callers
 * who ask for the same path at the same moment with one response: the API key is not part of its cache key.
 */
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';

/** CloudFront's own policy that hands on what viewers send, but the host. */
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

/** CloudFront's own policy of security headers, for the errors that CloudFront itself answers. */
const securityHeadersPolicy = '67f7725c-6f97-4210-82d7-5512b31e9d03';

/** Where requests go that the edge function routes nowhere. No name in `invalid` (RFC 2606) is ever anybody's. */
const origin = {
  originId: 'default',
  domainName: 'unrouted.invalid',
  customOriginConfig: {
    httpPort: 80,
    httpsPort: 443,
    originProtocolPolicy: 'https-only',
    originReadTimeout: 20,
    originSslProtocols: ['TLSv1.2'],
  },
};

const behavior = {
  targetOriginId: origin.originId,
  // A redirect would come after the caller's key went over the network in clear.
  viewerProtocolPolicy: 'https-only',
  allowedMethods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
  cachedMethods: ['GET', 'HEAD'],
  cachePolicyId: cachingDisabled,
  originRequestPolicyId: allViewerExceptHostHeader,
  responseHeadersPolicyId: securityHeadersPolicy,
  // Compression would hold back the events of a stream.
  compress: false,
};

type Text = $util.Input<string>;

export interface Router {
  url: $util.Output<string>;
  distributionID: $util.Output<string>;
  distributionArn: $util.Output<string>;
  /** What the operator has to set where the stage's domain is; undefined if nothing. */
  dns: $util.Output<string> | undefined;
  /** Tells the edge the routes by their keys. */
  sendTo(routes: Record<string, Route>): void;
}

export interface Route {
  host: Text;
  /** The edge adds it to requests. */
  secret: Text;
  /** Where requests go that bring the secret themselves. */
  next?: Text;
}

interface RouterOptions {
  /** What filters requests before the edge function sees them. */
  webAclId?: Text;
}

/**
 * One address for all paths. Types and names are those of SST's own router, which earlier releases had: a stage that was
 * deployed with it keeps its distribution, and with that its address and its domain.
 */
export function createRouter(settings: Settings, { webAclId }: RouterOptions = {}): Router {
  const domain = domainOf(settings);
  const options = { parent: new $util.ComponentResource('sst:aws:Router', 'Router') };
  const store = new aws.cloudfront.KeyValueStore('RouterStore', { name: nameOf('Routes') }, options);
  const routes = createRoutes(store, options);
  // Without a domain, functions are told CloudFront's address of the edge, so the edge has to be there before them.
  const edge = createEdge(settings, store, { ...options, dependsOn: domain ? routes.written : [] });
  const cdn = new sst.aws.Cdn(
    'RouterCdn',
    {
      comment: 'Router app',
      domain: domain?.certificate ? { name: domain.name, cert: domain.certificate, dns: false } : domain,
      origins: [origin],
      defaultCacheBehavior: { ...behavior, functionAssociations: [edge] },
      customErrorResponses: uncachedErrors,
      webAclArn: webAclId,
      transform: { distribution: { isIpv6Enabled: true } },
    },
    options,
  );
  const { id, arn, domainName } = cdn.nodes.distribution;
  return {
    url: domain ? $util.output(`https://${domain.name}`) : cdn.url,
    distributionID: id,
    distributionArn: arn,
    dns: domain?.certificate ? $interpolate`Set a CNAME of ${domain.name} to ${domainName}` : undefined,
    sendTo: routes.write,
  };
}

type Options = Pick<$util.CustomResourceOptions, 'parent' | 'dependsOn'>;

const nameOf = (thing: string): string => `${$app.name}-${$app.stage}-${thing}`;

function createEdge(settings: Settings, store: aws.cloudfront.KeyValueStore, options: Options) {
  const { arn } = new aws.cloudfront.Function(
    'RouterCloudfrontFunctionRequest',
    {
      name: nameOf('Edge'),
      runtime: 'cloudfront-js-2.0',
      keyValueStoreAssociations: [store.arn],
      code: edgeCode({
        region: settings.region,
        hasDomain: Boolean(settings.domain),
        uploadHost: settings.largeUploads?.domain,
        chatHost: chatHostOf(settings),
        answerSeconds: settings.answerSeconds,
        keepAliveSeconds: settings.originKeepAliveSeconds,
      }),
    },
    // Another name would be another function; SST chose other names.
    { ...options, ignoreChanges: ['name'] },
  );
  return { eventType: 'viewer-request', functionArn: arn };
}

/**
 * Each deploy has the provider read the store and put in what is missing, although nothing differs from the deploy
 * before: a store that is empty would otherwise stay so. Deletion of the replaced resource deletes nothing.
 */
function createRoutes({ arn }: aws.cloudfront.KeyValueStore, options: Options) {
  let tell: (routes: $util.Resource[]) => void;
  const written = new Promise<$util.Resource[]>((resolve) => {
    tell = resolve;
  });
  const write: Router['sendTo'] = (routes) => {
    const pairs = Object.entries(routes).map(([key, route]) => ({
      key,
      value: $util.output(route).apply(storedValue),
    }));
    const given = { keyValueStoreArn: arn, resourceKeyValuePairs: pairs };
    const always = { ...options, replacementTrigger: randomUUID() };
    tell([new aws.cloudfront.KeyvaluestoreKeysExclusive('RouterRoutes', given, always)]);
  };
  return { written, write };
}
