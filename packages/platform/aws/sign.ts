import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import type { AwsCredentialIdentity, HttpRequest, RequestSigner } from '@smithy/types';

interface JsonSignerDeps {
  credentials(): Promise<AwsCredentialIdentity>;
  region(): Promise<string>;
  /** The name that AWS signs the service by, such as `dynamodb`. */
  service: string;
}

/**
 * Signature Version 4 for protocols that send JSON to `/`. The SDK's own signer serves every protocol of AWS and takes
 * a quarter of the CPU time of a request; this one takes little, since it keeps the signing key of the day.
 */
export function createJsonSigner({ credentials, region, service }: JsonSignerDeps): RequestSigner {
  let kept: { of: string; key: KeyObject } | undefined;
  const keyOf = ({ secretAccessKey }: AwsCredentialIdentity, scope: readonly string[]): KeyObject => {
    const of = [secretAccessKey, ...scope].join('\n');
    if (kept?.of !== of) {
      const bytes = scope.reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`));
      kept = { of, key: createSecretKey(bytes) };
    }
    return kept.key;
  };

  return {
    async sign(request, { signingDate = Date.now(), signingRegion, signingService } = {}) {
      const identity = await credentials();
      const time = new Date(signingDate).toISOString().replace(unwritten, '');
      // The SDK names a region or service only if the endpoint is signed for one that is not the client's.
      const scope = [
        time.slice(0, 8),
        signingRegion ?? (await region()),
        signingService ?? service,
        'aws4_request',
      ];
      const { headers } = request;
      headers.host = hostOf(request);
      headers['x-amz-date'] = time;
      if (identity.sessionToken) headers['x-amz-security-token'] = identity.sessionToken;
      const names = Object.keys(headers).filter(isSigned).sort();
      const signed = names.join(';');
      const canonical = [
        request.method,
        request.path,
        '',
        ...names.map((name) => `${name}:${headers[name]}`),
        '',
        signed,
        hash('sha256', request.body ?? ''),
      ].join('\n');
      const text = `${algorithm}\n${time}\n${scope.join('/')}\n${hash('sha256', canonical)}`;
      const signature = createHmac('sha256', keyOf(identity, scope)).update(text).digest('hex');
      headers.authorization = `${algorithm} Credential=${identity.accessKeyId}/${scope.join('/')}, SignedHeaders=${signed}, Signature=${signature}`;
      return request;
    },
  };
}

const algorithm = 'AWS4-HMAC-SHA256';
const unwritten = /[:-]|\.\d{3}/g;

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The headers that AWS wants signed. A proxy may change the others on the way. */
const isSigned = (name: string): boolean =>
  name === 'host' || name === 'content-type' || name.startsWith('x-amz-');

const hostOf = ({ hostname, port }: HttpRequest): string => (port ? `${hostname}:${port}` : hostname);
