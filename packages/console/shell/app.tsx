import { useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { AskPage } from '../pages/ask/ask-page.tsx';
import { DecidePage } from '../pages/decide/decide-page.tsx';
import { RunsPage } from '../pages/runs/runs-page.tsx';
import { Boundary } from '../parts/boundary.tsx';
import { later } from '../parts/later.tsx';
import { ReferenceLink } from '../parts/reference-link.tsx';
import { apiKey } from '../session/session.ts';
import { Navigation, titles } from './navigation.tsx';
import { type PageName, route } from './route.ts';
import { SignIn } from './sign-in.tsx';
import './theme.ts';

const pages: Record<PageName, ComponentType<{ id?: string }>> = {
  ask: AskPage,
  runs: RunsPage,
  agents: later(async () => (await import('../pages/agents/agents-page.tsx')).AgentsPage),
  schedules: later(async () => (await import('../pages/schedules/schedules-page.tsx')).SchedulesPage),
  chat: later(async () => (await import('../pages/chat/chat-page.tsx')).ChatPage),
  decide: DecidePage,
  skills: later(async () => (await import('../pages/skills/skills-page.tsx')).SkillsPage),
  usage: later(async () => (await import('../pages/usage/usage-page.tsx')).UsagePage),
  models: later(async () => (await import('../pages/models/models-page.tsx')).ModelsPage),
  webhooks: later(async () => (await import('../pages/webhooks/webhooks-page.tsx')).WebhooksPage),
  servers: later(async () => (await import('../pages/servers/servers-page.tsx')).ServersPage),
};

export function App() {
  useSignalEffect(() => {
    document.title = apiKey.value ? `${titles[route.value.page]} · Errand` : 'Sign in · Errand';
  });
  return apiKey.value ? <House /> : <SignIn />;
}

const Broken = () => (
  <p class="notice bad" role="alert">
    <strong>This page cannot be shown.</strong> What the service sent is not what it promises. Load the page
    again, or look at the answer of the same call in <ReferenceLink>the reference</ReferenceLink>.
  </p>
);

function House() {
  const main = useRef<HTMLElement>(null);
  const { page, id } = route.value;
  const Page = pages[page];
  const first = useRef(true);
  // A screen reader announces the new page, and the Tab key goes on from its beginning, or from the field that has taken the focus.
  useEffect(() => {
    if (first.current) first.current = false;
    else if (!main.current?.contains(document.activeElement)) main.current?.focus();
    scrollTo(0, 0);
  }, [page, id]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <div class="house">
        <Navigation />
        <main ref={main} tabIndex={-1} aria-label={titles[page]}>
          <Boundary key={`${page} ${id}`} otherwise={<Broken />}>
            <Page {...(id !== undefined && { id })} />
          </Boundary>
        </main>
      </div>
    </>
  );
}
