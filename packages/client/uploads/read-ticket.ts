import type { Connection } from '../connection/connection.ts';
import { strangeAnswer } from '../connection/read-json.ts';
import type { ErrandError } from '../errors.ts';
import { isPrivateHost } from './private-host.ts';

/** Where a file goes, and with what. */
export interface Ticket {
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

/** Reads what the service answers when a file is announced. It may have the client send that file to a storage, and nothing else. */
export function readTicket(answer: Record<string, unknown>, service: Service): Ticket {
  const { uploadId, url, method, headers } = answer;
  if (typeof uploadId !== 'string' || uploadId === '') throw refused('it has no uploadId');
  if (method !== 'PUT') throw refused('its method is not PUT');
  return { uploadId, url: readUrl(url, service), headers: readHeaders(headers) };
}
