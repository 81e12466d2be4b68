import type { ModelUpstream } from './catalogue.ts';

/** Host and path, never a user or a password. */
export function addressOf({ baseUrl }: Pick<ModelUpstream, 'baseUrl'>): string {
  const { host, pathname } = new URL(baseUrl);
  return host + (pathname === '/' ? '' : pathname);
}
