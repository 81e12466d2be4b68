import { ErrandError } from '../errors.ts';
import { readRefusal } from './read-refusal.ts';

const redirects = new Set([301, 302, 303, 307, 308]);

/** The address to which a redirect leads. Browsers do not tell it. */
function targetOf(location: string | null, asked: string): string {
  if (location === null || !URL.canParse(location, asked)) return 'another address';
  const { protocol, origin, host } = new URL(location, asked);
  return protocol === 'https:' || protocol === 'http:' ? origin : host || 'another address';
}

/** The service's address if it is the one that redirects; else it is the storage. */
interface Asked {
  url: string;
  baseUrl: string;
}

export function redirectError(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  { url, baseUrl }: Asked,
): ErrandError {
  const target = targetOf(headers.get('Location'), url);
  const message = url.startsWith(`${baseUrl}/`)
    ? `The service redirects to ${target}: use that address as the base URL.`
    : `The storage redirects to ${target}, which was sent nothing.`;
  return new ErrandError(message, { status });
}

/**
 * Throws for a status from 400, and for a redirect: following a redirect would send the request's
 * body to a host that nobody has chosen.
 */
export async function requireAnswer(response: Response, asked: Asked): Promise<void> {
  if (response.type === 'opaqueredirect' || redirects.has(response.status)) {
    await response.body?.cancel().catch(() => undefined);
    throw redirectError(response, asked);
  }
  if (response.status >= 400) throw await readRefusal(response);
}
