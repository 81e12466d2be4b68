import { originSecretHeader, securityHeaders } from '@errand/platform';
import { runStreamsPath } from './functions.ts';

/** Streams of runs have a function of their own. */
const runStream = /^\/v1\/agents\/runs\/[^/]+\/stream$/;

export interface EdgeSettings {
  originSecret: string;
  /** The host for forms that are too large for Lambda. */
  uploadHost?: string;
}

/**
 * The largest bodies that a function can take. Lambda's limit of 6 MB is for the whole event, in which a JSON body is a
 * string with its quotes escaped and any other body is base64.
 */
export const edgeLimits = { jsonBytes: 5_000_000, otherBytes: 4_400_000 } as const;

/**
 * JavaScript for CloudFront's viewer-request function, before the code of SST's router in the function `handler`. It
 * refuses bodies whose Content-Length is too large for Lambda with the area's own error, because Lambda would give no
 * reason. Forms for `uploadHost` may have any size.
 *
 * Then it calls `handler` again for the router's code, and looks at what became of the request: if the store of routes
 * fails, the router lets requests through to the distribution's default origin. Only a request with an origin of ours gets
 * the secret that functions ask for. Any other is answered here and sent nowhere.
 */
export function viewerRequest({ originSecret, uploadHost }: EdgeSettings): string {
  return `
if (!event.routing) {
  const request = event.request, headers = request.headers, decision = request.uri === '/v1/systemone';
  const header = (name) => headers[name] ? headers[name].value.toLowerCase() : '';
  const type = header('content-type');
  const form = ${uploadHost === undefined ? 'false' : "request.method === 'POST' && request.uri === '/v1/agents/runs' && type.startsWith('multipart/form-data')"};
  ${answer}
  if (!form && Number(header('content-length')) > (type.startsWith('application/json') ? ${edgeLimits.jsonBytes} : ${edgeLimits.otherBytes})) {
    const message = 'Over 4.4 MB (JSON 5 MB): send files by POST /v1/uploads.', code = 'body_too_large';
    const error = { message, type: 'invalid_request_error', param: null, code };
    if (decision) return answer(413, { error: 'Request body too large', code });
    return answer(413, ['/v1/chat/completions', '/v1/decisions', '/v1/embeddings'].includes(request.uri) ? { error } : message);
  }
  const mark = 'x-forwarded-host';
  let routed;
  try {
    delete headers[mark];
    ${uploadHost === undefined ? '' : toUploadHost(uploadHost)}
    const uri = request.uri;
    if (${runStream}.test(uri)) request.uri = ${JSON.stringify(runStreamsPath)} + uri;
    if (!form) routed = await handler({ request, context: event.context, routing: true });
    request.uri = uri;
  } catch (e) {}
  if (routed && routed.statusCode) return answer(routed.statusCode, { error: routed.statusDescription });
  if (!routed || !headers[mark])
    return answer(503, decision
      ? { error: 'Service temporarily degraded. Please retry.', code: 'service_degraded' }
      : { error: 'Service temporarily at capacity. Please retry.' });
  headers[${JSON.stringify(originSecretHeader)}] = { value: ${JSON.stringify(originSecret)} };
  return routed;
}`.replace(/\n\s*/g, '\n');
}

const fixedHeaders = Object.entries(securityHeaders(true))
  .map(([name, value]) => `${JSON.stringify(name.toLowerCase())}: { value: ${JSON.stringify(value)} }`)
  .join(',');

/** Answers without an origin, with the headers that the service would set. */
const answer = `
  const answer = (statusCode, body) => {
    const text = typeof body === 'string', given = headers['x-request-id'];
    const id = { value: given && /^[!-~]{1,128}$/.test(given.value) ? given.value : event.context.requestId };
    const set = {
      'content-type': { value: text ? 'text/plain' : 'application/json' },
      'access-control-allow-origin': { value: '*' },
      'access-control-expose-headers': { value: 'X-Request-Id' },
      'x-request-id': id,
      ${fixedHeaders}
    };
    if (decision) set['x-typesafe-request-id'] = id;
    if (statusCode === 503) {
      set['retry-after'] = { value: '5' };
      set['access-control-expose-headers'].value += ', Retry-After';
    }
    return { statusCode, headers: set, body: { encoding: 'text', data: text ? body : JSON.stringify(body) } };
  };`;

/** SST's router sets the marking header on the requests that it gives an origin, and on no other. */
const toUploadHost = (host: string): string => `
    if (form) {
      cf.updateRequestOrigin({
        domainName: ${JSON.stringify(host)},
        originAccessControlConfig: { enabled: false },
        customOriginConfig: { port: 443, protocol: 'https', sslProtocols: ['TLSv1.2'] },
        timeouts: { readTimeout: 60 }
      });
      headers[mark] = headers.host;
      routed = request;
    }`;
