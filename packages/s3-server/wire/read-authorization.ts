import type { Clock } from '../clock.ts';
import { S3Error } from './errors.ts';
import { readInteger, type S3Request } from './request.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** What a request says about its own signature. Its time and the key's id have been checked, nothing else. */
export interface SignatureClaim {
  signature: string;
  signedHeaders: string[];
  /** As written in the request: `20261121T025711Z`. */
  longDate: string;
  signedAtMilliseconds: number;
  /** Day, region, service and `aws4_request`, divided by slashes. */
  scope: string;
  payloadHash: string;
}

const algorithm = 'AWS4-HMAC-SHA256';
const maxSkewMilliseconds = 15 * 60_000;
const maxExpirySeconds = 7 * 24 * 3600;

export function readAuthorization(
  request: S3Request,
  deps: { credentials: Credentials; clock: Clock },
): SignatureClaim {
  if (request.sentHeaders.has('authorization')) return readHeaderClaim(request, deps);
  if (request.query.has('X-Amz-Signature')) return readPresignedClaim(request, deps);
  throw new S3Error('AccessDenied');
}

type Deps = Parameters<typeof readAuthorization>[1];

function readHeaderClaim(request: S3Request, deps: Deps): SignatureClaim {
  const authorization = request.sentHeaders.get('authorization') ?? '';
  const fields = new Map(
    authorization
      .slice(algorithm.length)
      .split(',')
      .map((field): [string, string] => {
        const [name = '', ...value] = field.trim().split('=');
        return [name, value.join('=')];
      }),
  );
  const [credential, signedHeaders, signature] = ['Credential', 'SignedHeaders', 'Signature'].map((name) =>
    fields.get(name),
  );
  if (!authorization.startsWith(`${algorithm} `) || !credential || !signedHeaders || !signature) {
    throw new S3Error('AuthorizationHeaderMalformed');
  }
  const payloadHash = request.sentHeaders.get('x-amz-content-sha256');
  if (!payloadHash) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  const dated = readDate(request.sentHeaders.get('x-amz-date'), 'AccessDenied');
  if (Math.abs(deps.clock() - dated.signedAtMilliseconds) > maxSkewMilliseconds) {
    throw new S3Error('RequestTimeTooSkewed');
  }
  const scoped = readCredential(credential, dated.longDate, deps, 'AuthorizationHeaderMalformed');
  return { signature, signedHeaders: signedHeaders.split(';'), payloadHash, ...dated, ...scoped };
}

function readPresignedClaim(request: S3Request, deps: Deps): SignatureClaim {
  const malformed = 'AuthorizationQueryParametersError';
  const { query } = request;
  const signature = query.get('X-Amz-Signature');
  const signedHeaders = query.get('X-Amz-SignedHeaders');
  const expiresInSeconds = readInteger('X-Amz-Expires', query.get('X-Amz-Expires'));
  if (query.get('X-Amz-Algorithm') !== algorithm || !signature || !signedHeaders)
    throw new S3Error(malformed);
  if (expiresInSeconds === undefined || expiresInSeconds > maxExpirySeconds) {
    throw new S3Error(malformed, 'X-Amz-Expires must be less than a week (in seconds).');
  }
  const dated = readDate(query.get('X-Amz-Date'), malformed);
  const scoped = readCredential(query.get('X-Amz-Credential') ?? '', dated.longDate, deps, malformed);
  const ageMilliseconds = deps.clock() - dated.signedAtMilliseconds;
  if (ageMilliseconds > expiresInSeconds * 1000) throw new S3Error('AccessDenied', 'Request has expired');
  if (ageMilliseconds < -maxSkewMilliseconds) throw new S3Error('AccessDenied', 'Request is not yet valid');
  const payloadHash = request.headers.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD';
  return { signature, signedHeaders: signedHeaders.split(';'), payloadHash, ...dated, ...scoped };
}

function readDate(text: string | undefined, refusal: 'AccessDenied' | 'AuthorizationQueryParametersError') {
  const parts = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(text ?? '');
  const [year, month, day, hour, minute, second] = parts?.slice(1) ?? [];
  const signedAtMilliseconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (text === undefined || Number.isNaN(signedAtMilliseconds)) {
    throw new S3Error(refusal, 'A signed request must have a valid x-amz-date.');
  }
  return { longDate: text, signedAtMilliseconds };
}

function readCredential(
  credential: string,
  longDate: string,
  deps: Deps,
  malformed: 'AuthorizationHeaderMalformed' | 'AuthorizationQueryParametersError',
) {
  const [accessKeyId, ...scope] = credential.split('/');
  const [date, region, service, terminator] = scope;
  if (scope.length !== 4 || !region || service !== 's3' || terminator !== 'aws4_request')
    throw new S3Error(malformed);
  if (date !== longDate.slice(0, 8)) throw new S3Error(malformed, 'The credential is for another day.');
  if (accessKeyId !== deps.credentials.accessKeyId) throw new S3Error('InvalidAccessKeyId');
  return { scope: scope.join('/') };
}
