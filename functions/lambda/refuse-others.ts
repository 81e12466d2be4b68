import { timingSafeEqual } from 'node:crypto';
import { ConfigError, originSecretHeader, securityHeaders } from '@errand/platform';

/**
 * Refuses requests without one of the secrets, the first of which the router adds, because function URLs are open to everyone. (If CloudFront
 * signed the requests instead, Lambda would refuse every POST whose body the client did not hash.)
 */
export function refuseOthers(originSecrets: readonly string[]): (request: Request) => Response | undefined {
  if (originSecrets.length === 0) throw new ConfigError('ORIGIN_SECRET must be set');
  const accepted = originSecrets.map((secret) => Buffer.from(secret));
  return (request) => {
    const actual = Buffer.from(request.headers.get(originSecretHeader) ?? '');
    const isRight = (secret: Buffer) => actual.length === secret.length && timingSafeEqual(actual, secret);
    if (accepted.some(isRight)) return undefined;
    return Response.json({ error: 'Forbidden' }, { status: 403, headers: securityHeaders(true) });
  };
}
