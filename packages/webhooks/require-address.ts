import { fieldIssue } from '@errand/platform';
import { checkAddress, FetchError, type WebDeps } from '@errand/web';

/** Throws `invalid_request` for an address that nothing may be sent to. */
export function requireAddress(web: Pick<WebDeps, 'allowedHosts'>, field: string, url: string): void {
  try {
    checkAddress(web, url);
  } catch (error) {
    if (error instanceof FetchError) throw fieldIssue(field, `cannot be used: ${error.message}`);
    throw error;
  }
}
