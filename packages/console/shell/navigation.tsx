import { ReferenceLink } from '../parts/reference-link.tsx';
import { signOut } from '../session/session.ts';
import { BalanceLink } from './balance-link.tsx';
import { hrefOf, type PageName, pageNames, route } from './route.ts';
import { ThemeSwitch } from './theme-switch.tsx';

export const titles: Record<PageName, string> = {
  ask: 'Ask',
  runs: 'Runs',
  agents: 'Agents',
  schedules: 'Schedules',
  chat: 'Chat',
  decide: 'Decide',
  skills: 'Skills',
  usage: 'Usage',
  models: 'Models',
  webhooks: 'Webhooks',
  servers: 'Servers of tools',
};

export function Navigation() {
  const { page: current } = route.value;
  const link = (page: PageName) => (
    <a key={page} href={hrefOf(page)} aria-current={current === page ? 'page' : undefined}>
      {titles[page]}
    </a>
  );
  return (
    <header class="side">
      <Brand />
      <nav aria-label="Pages">{pageNames.map(link)}</nav>
      <div class="side-end">
        <BalanceLink />
        <ReferenceLink>API reference</ReferenceLink>
        <ThemeSwitch />
        <button type="button" class="quiet" onClick={() => signOut()}>
          Sign out
        </button>
      </div>
    </header>
  );
}

export const Brand = () => (
  <p class="brand">
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="9" class="mark-ground" />
      <path d="M9 10h11M9 16h7M9 22h11" class="mark-lines" />
      <circle cx="22.5" cy="16" r="2.4" class="mark-dot" />
    </svg>
    Errand
  </p>
);
