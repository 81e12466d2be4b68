import { timingSafeEqual } from 'node:crypto';
import { ConfigError } from '@errand/platform';

export const originSecretHeader = 'X-Origin-Secret';

/**
 * Refuses requests that did not come through the router, which adds the secret: function URLs are open to everyone. (Origins that CloudFront signs would refuse every POST whose body its client did not hash.)
 */
export function refuseOthers(originSecret: string | undefined): (request: Request) => Response | undefined {
  if (originSecret === undefined) throw new ConfigError('ORIGIN_SECRET must be set');
  const wanted = Buffer.from(originSecret);
  return (request) => {
    const given = Buffer.from(request.headers.get(originSecretHeader) ?? '');
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) return undefined;
    return Response.json({ error: 'Forbidden' }, { status: 403 });
  };
}
