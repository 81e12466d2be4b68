import { computed, signal } from '@preact/signals';

export const pageNames = [
  'ask',
  'runs',
  'agents',
  'schedules',
  'chat',
  'decide',
  'skills',
  'usage',
  'models',
  'webhooks',
  'servers',
] as const;
export type PageName = (typeof pageNames)[number];

interface Route {
  page: PageName;
  /** The run, agent, schedule or skill that is open. */
  id?: string;
}

const isPage = (name: string): name is PageName => pageNames.some((page) => page === name);

/** Routes stand behind the `#`, so that one file serves them all. Unknown ones lead to the first page. */
function readRoute(hash: string): Route {
  const [, page = '', written = ''] = hash.replace(/^#/, '').split('/');
  if (!isPage(page)) return { page: 'ask' };
  const id = decode(written);
  return { page, id: id || undefined };
}

/** Anyone may have made the link that somebody follows. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export const hrefOf = (page: PageName, id?: string): string =>
  `#/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed(() => readRoute(hash.value));

export function go(page: PageName, id?: string): void {
  location.hash = hrefOf(page, id);
}

/** Names what is open without a step back to what was open before. */
export function stay(page: PageName, id?: string): void {
  history.replaceState(null, '', hrefOf(page, id));
  hash.value = location.hash;
}
