import type { Connection } from '../connection/connection.ts';
import { strangeAnswer } from '../connection/read-json.ts';
import type { ErrandError } from '../errors.ts';

/** Where a file goes, and with what. */
interface Ticket {
  uploadId: string;
  url: string;
  headers: Record<string, string>;
}

type Service = Pick<Connection, 'baseUrl' | 'storageOrigins'>;

const refused = (why: string): ErrandError =>
  strangeAnswer(`The service's link for the file was not used: ${why}.`);

const allowedHeader = /^(content-type|x-amz-[a-z0-9-]+)$/;
/** The length is that of the file, and is said by whoever sends it. */
const ownHeader = 'content-length';

function readHeaders(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) throw refused('it has no headers');
  const sent = Object.entries(given).filter(([name]) => name.toLowerCase() !== ownHeader);
  for (const [name, value] of sent)
    if (!allowedHeader.test(name.toLowerCase()) || !/^[\x20-\x7e]*$/.test(String(value)))
      throw refused('it asks for headers that the storage does not need');
  return Object.fromEntries(sent.map(([name, value]) => [name, String(value)]));
}

function readUrl(given: unknown, { baseUrl, storageOrigins }: Service): string {
  if (typeof given !== 'string' || !URL.canParse(given)) throw refused('it is no address');
  const [url, base] = [new URL(given), new URL(baseUrl)];
  if (url.username || url.password) throw refused('it has a user name or a password');
  if (storageOrigins.includes(url.origin)) return url.href;
  if (url.protocol !== 'https:' && url.protocol !== base.protocol)
    throw refused(`it begins with ${url.protocol} and the service with ${base.protocol}`);
  if (isPrivateHost(url.hostname) && !isPrivateHost(base.hostname))
    throw refused(
      'it leads into a private network, in which the service is not (storageOrigins can allow it)',
    );
  return url.href;
}

/** Reads what the service answers when a file is announced. The answer may make the client send this file to a storage, and nothing else. */
export function readTicket(answer: Record<string, unknown>, service: Service): Ticket {
  const { uploadId, url, method, headers } = answer;
  if (typeof uploadId !== 'string' || uploadId === '') throw refused('it has no uploadId');
  if (method !== 'PUT') throw refused('its method is not PUT');
  return { uploadId, url: readUrl(url, service), headers: readHeaders(headers) };
}

/** URLs have every spelling of an IPv4 address as four decimal numbers, and IPv6 in brackets, as short as it can be. */
const privateForms = [
  // This network, private, loopback, multicast, and what is reserved.
  /^(0|10|127|22[4-9]|2[345]\d)\.\d+\.\d+\.\d+$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.\d+\.\d+$/,
  /^169\.254\.\d+\.\d+$/,
  /^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^192\.(168\.\d+|0\.0)\.\d+$/,
  /^198\.1[89]\.\d+\.\d+$/,
  // Loopback and IPv4 within IPv6; unique local, link-local, site-local and multicast addresses.
  /^\[(::|64:ff9b:|f[cdf][\da-f]{2}:|fe[89a-f][\da-f]:)/,
  /(^|\.)(localhost|localdomain|local|internal|intranet|corp|lan|home\.arpa)$/,
];

/** The IPv4 address to which an IPv6 address leads, if it is one of those that are mapped, or of 6to4. */
function ipv4Within(name: string): string | undefined {
  const [, ...groups] = /^\[(?:::ffff|2002):([\da-f]*):([\da-f]*)/.exec(name) ?? [];
  if (groups.length === 0) return undefined;
  return groups
    .map((group) => Number.parseInt(group || '0', 16))
    .map((value) => `${value >> 8}.${value & 255}`)
    .join('.');
}

/** Whether a host, as a URL has it, is of this machine or of a private network, by its name alone. */
export function isPrivateHost(hostname: string): boolean {
  const given = hostname.replace(/\.+$/, '');
  const name = ipv4Within(given) ?? given;
  const isSingleWord = !name.includes('.') && !name.startsWith('[');
  return isSingleWord || privateForms.some((form) => form.test(name));
}
