import { type Config, securityHeaders } from '@errand/platform';

/** What is answered to a request for another host, in words for whoever set up the service. */
export const foreignHostMessage =
  'This service listens on this machine alone, and answers requests to localhost, 127.0.0.1 and [::1] only. ' +
  'If it is reached under another name, set PUBLIC_URL to its address.\n';

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

/** The name alone, in its normal form. Undefined if it is none. */
const hostnameOf = (url: string): string | undefined => URL.parse(url)?.hostname;

const isForeign = (hostname: string | undefined): boolean => hostname === undefined || !isLoopback(hostname);

/**
 * Refuses requests whose `Host` is not this machine's own, where the service listens on the loopback interface alone and no
 * public address is set. A page that a browser has loaded from elsewhere can have its own name lead to 127.0.0.1 afterwards,
 * and would then count as a page of this service; its requests still carry its own name.
 */
export function refuseForeignHosts({
  host,
  publicUrl,
}: Pick<Config, 'host' | 'publicUrl'>): (request: Request) => Response | undefined {
  const listensOn = hostnameOf(`http://${host.includes(':') ? `[${host}]` : host}`);
  if (publicUrl !== undefined || isForeign(listensOn)) return () => undefined;
  return ({ headers, url }) => {
    // The address of a request's first line goes before its Host.
    const isRefused =
      isForeign(hostnameOf(url)) || isForeign(hostnameOf(`http://${headers.get('host') ?? ''}`));
    if (!isRefused) return undefined;
    const plain = { 'Content-Type': 'text/plain; charset=UTF-8' };
    return new Response(foreignHostMessage, {
      status: 421,
      headers: { ...securityHeaders(false), ...plain },
    });
  };
}
