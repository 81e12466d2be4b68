import type { IncomingHttpHeaders } from 'node:http';

/** The rules of the deployed bucket: a browser on any page may get and put with a link. */
const methods = ['GET', 'PUT'];

/** What an answer to a browser carries; nothing for other clients. */
export const corsHeaders = ({ origin }: IncomingHttpHeaders): Record<string, string> =>
  origin === undefined ? {} : { 'access-control-allow-origin': '*' };

/** The headers that answer a preflight; undefined for what the rules do not allow, or is none. */
export function preflightHeaders(headers: IncomingHttpHeaders): Record<string, string> | undefined {
  const method = headers['access-control-request-method'];
  if (headers.origin === undefined || method === undefined || !methods.includes(method)) return undefined;
  return {
    ...corsHeaders(headers),
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '3000',
  };
}
