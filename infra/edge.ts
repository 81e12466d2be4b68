import { limits, originSecretHeader, securityHeaders } from '@errand/platform';
import { functionShapes, runStreamsPath } from './functions.ts';

/** Streams of runs have a function of their own. */
const runStream = /^\/v1\/agents\/runs\/[^/]+\/stream$/;

export interface EdgeSettings {
  region: string;
  /** Callers reach the stage by a domain, and not by CloudFront's own address. */
  hasDomain: boolean;
  /** The host for forms that are too large for Lambda. */
  uploadHost?: string;
  /** The host of the containers for chat. */
  chatHost?: string;
  /** How long an answer that is not streamed may take. Default: `answerMilliseconds`. */
  answerSeconds?: number;
  /** How long a connection to a function or a container stays open after an answer. Default: CloudFront's. */
  keepAliveSeconds?: number;
}

/**
 * The largest bodies that a function can take. Lambda's limit of 6 MB is for the whole event, in which a JSON body is a
 * string with its quotes escaped and any other body is base64.
 */
export const edgeLimits = { jsonBytes: 5_000_000, otherBytes: 4_400_000 } as const;

/** The key of the container for large forms in the edge's store. A function's key is its name. */
export const uploadsKey = 'large-uploads';

/** How long the secrets are that the deploy makes. The edge takes no other for whole. */
export const secretCharacters = 48;

interface StoredRoute {
  host: string;
  secret: string;
  next?: string;
}

/** What the edge's store has for a function: where it is, what it asks of requests, and where its newest version is. */
export const storedValue = ({ host, secret, next }: StoredRoute): string =>
  [host, secret, next].filter(Boolean).join(' ');

/** Prefixes of paths with the names of their functions, longest first. */
const paths = Object.entries(functionShapes)
  .flatMap(([name, shape]) => shape.paths.map((path) => [path.replace(/\/$/, ''), name] as const))
  .sort(([one], [other]) => other.length - one.length);

/**
 * How long CloudFront waits for the next packet: 120 s at most. Streams send one every `keepAliveMilliseconds`, and other
 * answers are there 5 s earlier.
 */
const readTimeoutSeconds = ({
  answerSeconds = limits.answerMilliseconds / 1000,
}: Pick<EdgeSettings, 'answerSeconds'>): number => answerSeconds + 5;

const timeoutsOf = ({ keepAliveSeconds, ...settings }: EdgeSettings): string =>
  JSON.stringify({ readTimeout: readTimeoutSeconds(settings), keepAliveTimeout: keepAliveSeconds });

/**
 * JavaScript for CloudFront's runtime 2.0, which has no destructuring, no spread, no `for ... of` and no async closures.
 *
 * It refuses bodies whose Content-Length is too large for Lambda with the area's own error, because Lambda would give no
 * reason. Forms for `uploadHost` may have any size. Then it reads from the store where the path's function is. Only a
 * request that goes to a host of ours gets the secret that functions ask for. Whatever else the store says or does not
 * say, the request is answered here and sent nowhere. A request that brings the secret goes to the newest version, which
 * callers do not reach yet; another secret is as good as none.
 *
 * CloudFront tries three times to connect. What was sent it repeats only if it is a GET or HEAD, never a POST.
 */
export const edgeCode = (settings: EdgeSettings): string =>
  `import cf from 'cloudfront';
const paths = ${JSON.stringify(paths)};
const stored = ${storedPattern(settings)};
function valueOf(header) {
  return header ? header.value.toLowerCase() : '';
}
function keyOf(uri) {
  const path = ${runStream}.test(uri) ? ${JSON.stringify(runStreamsPath)} + uri : uri;
  return paths.find((each) => path === each[0] || path.startsWith(each[0] + '/'))[1];
}
function ofMessages(uri) {
  return /^\\/v1\\/messages(\\/|$)/.test(uri);
}
${answer}
async function handler(event) {
  const request = event.request, headers = request.headers, uri = request.uri;
  const type = valueOf(headers['content-type']);
  const form = ${settings.uploadHost ? "request.method === 'POST' && uri === '/v1/agents/runs' && type.startsWith('multipart/form-data')" : 'false'};
  if (!form && Number(valueOf(headers['content-length'])) > (type.startsWith('application/json') ? ${edgeLimits.jsonBytes} : ${edgeLimits.otherBytes})) {
    const message = 'Over 4.4 MB (JSON 5 MB): send files by POST /v1/uploads.', code = 'body_too_large';
    const error = { message: message, type: 'invalid_request_error', param: null, code: code };
    if (uri === '/v1/systemone') return answer(event, 413, { error: 'Request body too large', code: code });
    return answer(event, 413, ofMessages(uri) || ['/v1/chat/completions', '/v1/decisions', '/v1/embeddings'].includes(uri) ? { error: error } : message);
  }
  ${settings.hasDomain ? "if (valueOf(headers.host).includes('cloudfront.net')) return answer(event, 403, { error: 'Forbidden' });" : ''}
  try {
    const key = form ? '${uploadsKey}' : keyOf(uri);
    const value = await cf.kvs().get(key);
    const parts = stored.exec(value);
    const given = headers[${JSON.stringify(originSecretHeader)}];
    cf.updateRequestOrigin({
      domainName: given && given.value === parts[2] && parts[3] ? parts[3] : parts[1],
      originAccessControlConfig: { enabled: false },
      customOriginConfig: { port: 443, protocol: 'https', sslProtocols: ['TLSv1.2'] },
      timeouts: ${timeoutsOf(settings)}
    });
    headers['x-forwarded-host'] = headers.host;
    headers[${JSON.stringify(originSecretHeader)}] = { value: parts[2] };
    return request;
  } catch (e) {
    return answer(event, 503, uri === '/v1/systemone'
      ? { error: 'Service temporarily degraded. Please retry.', code: 'service_degraded' }
      : { error: 'Service temporarily at capacity. Please retry.' });
  }
}`.replace(/\n\s*/g, '\n');

/** Matches what `storedValue` makes of hosts of ours, and nothing that is longer or cut off. */
function storedPattern({ region, uploadHost, chatHost }: EdgeSettings): RegExp {
  const ours = String.raw`[a-z0-9]+\.lambda-url\.${region}\.on\.aws`;
  const containers = [uploadHost, chatHost].filter((host) => host !== undefined);
  const hosts = [ours, ...containers.map((host) => host.replaceAll('.', '\\.'))].join('|');
  return new RegExp(String.raw`^(${hosts}) ([\w-]{${secretCharacters}})(?: (${ours}))?$`);
}

const fixedHeaders = Object.entries(securityHeaders(true))
  .map(([name, value]) => `${JSON.stringify(name.toLowerCase())}: { value: ${JSON.stringify(value)} }`)
  .join(',');

/** Answers without an origin, with the headers that the service would set. */
const answer = `function answer(event, statusCode, body) {
  const text = typeof body === 'string', given = event.request.headers['x-request-id'];
  const id = { value: given && /^[!-~]{1,128}$/.test(given.value) ? given.value : event.context.requestId };
  const set = {
    'content-type': { value: text ? 'text/plain' : 'application/json' },
    'access-control-allow-origin': { value: '*' },
    'access-control-expose-headers': { value: 'X-Request-Id' },
    'x-request-id': id,
    ${fixedHeaders}
  };
  if (event.request.uri === '/v1/systemone') set['x-typesafe-request-id'] = id;
  if (ofMessages(event.request.uri)) {
    const type = { 403: 'permission_error', 413: 'request_too_large' }[statusCode] || 'overloaded_error';
    set['request-id'] = id;
    body = { type: 'error', error: { type: type, message: body.error.message || body.error }, request_id: id.value };
    if (statusCode === 413) body.error.code = 'body_too_large';
  }
  if (statusCode === 503) {
    set['retry-after'] = { value: '5' };
    set['access-control-expose-headers'].value += ', Retry-After';
  }
  return { statusCode: statusCode, headers: set, body: { encoding: 'text', data: text ? body : JSON.stringify(body) } };
}`;
