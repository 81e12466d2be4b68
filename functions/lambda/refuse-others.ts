import { timingSafeEqual } from 'node:crypto';
import { ConfigError, originSecretHeader, securityHeaders } from '@errand/platform';

/**
 * Refuses requests without the secret that the router adds, because function URLs are open to everyone. (If CloudFront
 * signed the requests instead, Lambda would refuse every POST whose body the client did not hash.)
 */
export function refuseOthers(originSecret: string | undefined): (request: Request) => Response | undefined {
  if (originSecret === undefined) throw new ConfigError('ORIGIN_SECRET must be set');
  const expected = Buffer.from(originSecret);
  return (request) => {
    const actual = Buffer.from(request.headers.get(originSecretHeader) ?? '');
    if (actual.length === expected.length && timingSafeEqual(actual, expected)) return undefined;
    return Response.json({ error: 'Forbidden' }, { status: 403, headers: securityHeaders(true) });
  };
}
