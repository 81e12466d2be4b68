import { useEffect, useRef } from 'preact/hooks';
import { PageHead } from '../../parts/page-head.tsx';
import { route, stay } from '../../shell/route.ts';
import { AskForm } from './ask-form.tsx';
import { ask } from './ask-state.ts';
import { OpenedRun } from './opened-run.tsx';

/** A question and the run that works on it, by the run's id in the address: a page that is loaded again goes on. */
export function AskPage({ id }: { id?: string }) {
  const state = ask();
  const top = useRef<HTMLDivElement>(null);
  const again = () => {
    stay('ask');
    top.current?.querySelector('textarea')?.focus();
  };
  // A visitor who has gone to another page meanwhile stays there.
  const show = (agentId: string) => {
    if (route.peek().page === 'ask' && route.peek().id === undefined) stay('ask', agentId);
    else state.unseen.value = agentId;
  };
  useEffect(() => {
    const unseen = state.unseen.peek();
    state.unseen.value = undefined;
    if (unseen !== undefined && id === undefined) stay('ask', unseen);
  }, [state, id]);
  return (
    <div ref={top}>
      {id === undefined ? (
        <>
          <PageHead title="Ask">
            A question goes to an agent with tools: it searches, reads what you send, and answers with its
            sources.
          </PageHead>
          <AskForm state={state} started={show} />
        </>
      ) : (
        <>
          <PageHead title="Run" />
          <OpenedRun agentId={id} again={again} />
        </>
      )}
    </div>
  );
}
