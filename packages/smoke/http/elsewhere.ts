import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '@errand/web';
import { must } from '../outcome.ts';
import { type Answer, type Request, send } from './client.ts';

/** All addresses of a host; of an address itself. */
type Resolve = (host: string) => Promise<LookupAddress[]>;

const resolveHost: Resolve = (host) => lookup(host, { all: true });

/**
 * Sends a request to an address that the service named, such as its storage. Throws `Failed` if a service on the internet
 * names an address of this machine or of its networks, or if a service over HTTPS names an address without HTTPS.
 */
export async function sendElsewhere(baseUrl: string, url: string, request: Request): Promise<Answer> {
  const addresses = await findElsewhere(baseUrl, url);
  // The connection uses the addresses that were checked, because a second lookup could give others.
  return send(url, {
    ...request,
    lookup: (_host, { all }, callback) =>
      all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family),
  });
}

/** The addresses of the host to which the request may go. */
export async function findElsewhere(
  baseUrl: string,
  url: string,
  resolve: Resolve = resolveHost,
): Promise<LookupAddress[]> {
  must(URL.canParse(url), 'the service named an address that is none');
  const [base, named] = [new URL(baseUrl), new URL(url)];
  const protocols = base.protocol === 'https:' ? ['https:'] : ['http:', 'https:'];
  must(protocols.includes(named.protocol), `the service is at ${base.origin}, and named ${named.origin}`);
  const addresses = await resolve(hostOf(named));
  const isInside = (await resolve(hostOf(base))).some(({ address }) => !isPublicAddress(address));
  must(
    isInside || addresses.every(({ address }) => isPublicAddress(address)),
    `${named.host}, which the service named, is not on the internet`,
  );
  return addresses;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');
