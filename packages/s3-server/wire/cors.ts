import type { IncomingHttpHeaders } from 'node:http';

/** Browsers may GET and PUT with a link from any page. */
const methods = ['GET', 'PUT'];

/** The headers for a browser's request. Other clients get none. */
export const corsHeaders = ({ origin }: IncomingHttpHeaders): Record<string, string> =>
  origin === undefined ? {} : { 'access-control-allow-origin': '*' };

/** The headers that answer a preflight; undefined if the method is not allowed or the request is no preflight. */
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
