import { isIP } from 'node:net';
import { limits } from '@errand/platform';
import { isPublicAddress } from './address.ts';
import { FetchError } from './failure.ts';

/** A URL that a request may be sent to. The addresses of a host that is allowed by name are not checked. */
export interface Target {
  url: URL;
  isAllowedByName: boolean;
}

/** Parses a URL. Throws `FetchError` if it is too long or not http(s), has credentials, or its host is a private address. */
export function readTarget(allowedHosts: ReadonlySet<string>, text: string, base?: URL): Target {
  if (text.length > limits.urlCharacters) {
    const reason = `the URL has more than ${limits.urlCharacters} characters`;
    throw new FetchError('invalid_url', { reason });
  }
  const url = URL.parse(text, base?.href);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new FetchError('invalid_url');
  if (url.username !== '' || url.password !== '') {
    throw new FetchError('invalid_url', { reason: 'the URL holds a user name or password' });
  }
  const isAllowedByName = allowedHosts.has(hostAndPort(url));
  const address = bareHost(url);
  if (!isAllowedByName && isIP(address) !== 0 && !isPublicAddress(address)) {
    throw new FetchError('forbidden_address');
  }
  return { url, isAllowedByName };
}

/** The same for what a caller's text is sent to: https, or a host that is allowed by name. */
export function readSecureTarget(allowedHosts: ReadonlySet<string>, url: string): Target {
  const target = readTarget(allowedHosts, url);
  if (target.url.protocol !== 'https:' && !target.isAllowedByName)
    throw new FetchError('invalid_url', { reason: 'the URL is not an https address' });
  return target;
}

/** `host:port` as in `allowedHosts`: lower case, an IPv6 address in brackets, the scheme's port when none is named. */
function hostAndPort(url: URL): string {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return `${url.hostname}:${port}`;
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
