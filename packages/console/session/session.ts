import { createErrand, type Errand } from '@errand/client';
import { computed, signal } from '@preact/signals';

const storageName = 'errand.key';

/** The visitor's key. The console keeps it in memory, and in the tab's session storage if the visitor wants that, but in no address. */
export const apiKey = signal(sessionStorage.getItem(storageName) ?? '');

let session = new AbortController();

/** Aborted when the visitor signs out, or comes with another key. */
export const sessionSignal = (): AbortSignal => session.signal;

function change(key: string): void {
  session.abort();
  session = new AbortController();
  apiKey.value = key;
}

/** Whether the visitor wants the tab to keep things when it is loaded again. Signing out, and another key, clear what it keeps. */
export const isKept = (): boolean => sessionStorage.getItem(storageName) !== null;

/** Why the visitor is asked for a key again. */
export const signedOutFor = signal<unknown>(undefined);

const client = computed(() => connect(apiKey.value));

export const connect = (key: string): Errand => createErrand({ baseUrl: location.origin, apiKey: key });

/** The service, with the visitor's key. */
export const errand = (): Errand => client.value;

export function signIn(key: string, keep: boolean): void {
  sessionStorage.clear();
  if (keep) sessionStorage.setItem(storageName, key);
  signedOutFor.value = undefined;
  change(key);
}

export function signOut(reason?: unknown): void {
  sessionStorage.clear();
  signedOutFor.value = reason;
  change('');
}
