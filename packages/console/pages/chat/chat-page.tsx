import { useEffect } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import type { ShownCall } from '../../calls/shown-call.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { ChatExamples } from '../../examples/later-examples.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { submitOnEnter } from '../../parts/submit-on-enter.ts';
import { takeFocus } from '../../parts/take-focus.ts';
import { models, takesChat } from '../models/models-state.ts';
import { chat, readRequest } from './chat-state.ts';
import type { ChatState } from './conversation.ts';
import { useEnd } from './follow-end.ts';
import { Settings } from './settings.tsx';
import { TurnView } from './turn-view.tsx';

export function ChatPage() {
  const state = chat();
  models().need();
  const fitting = models().data.value?.models.filter(takesChat) ?? [];
  const model = state.model.value || fitting[0]?.id || '';
  const turns = state.turns.value;
  const { talk, atEnd, toEnd } = useEnd(turns.at(-1)?.id);
  return (
    <div class="chat">
      <PageHead
        title="Chat"
        actions={
          turns.length > 0 && (
            <button type="button" onClick={state.clear}>
              New conversation
            </button>
          )
        }
      >
        Straight to a model, without tools. The conversation is kept in this tab alone.
      </PageHead>
      <Settings state={state} model={model} />
      <SameCall
        call={() =>
          chatCall(readRequest(state, model, state.draft.value.trim() || 'Hello!', turns), location.origin)
        }
      />
      <div class="talk" ref={talk}>
        <div class="turns" role="log" aria-label="Conversation">
          {turns.map((turn, i) => (
            <TurnView
              key={turn.id}
              state={state}
              model={model}
              turn={turn}
              live={state.sending.busy.value && i === turns.length - 1}
            />
          ))}
        </div>
        <ErrorNotice error={state.sending.error.value} />
        {turns.length === 0 && <ChatExamples state={state} />}
        <div class="writing">
          {!atEnd.value && turns.length > 0 && (
            <button type="button" class="to-end" onClick={toEnd}>
              To the end
            </button>
          )}
          <Composer state={state} model={model} />
        </div>
      </div>
    </div>
  );
}

function Composer({ state, model }: { state: ChatState; model: string }) {
  const busy = state.sending.busy.value;
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape') state.stop();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
  }, [state]);
  return (
    <form
      class="card composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (model !== '') state.send(model);
      }}
    >
      <textarea
        ref={takeFocus}
        rows={1}
        dir="auto"
        required
        aria-label="Message"
        placeholder="Write a message"
        value={state.draft}
        onKeyDown={submitOnEnter}
        onInput={({ currentTarget }) => {
          state.draft.value = currentTarget.value;
        }}
      />
      <div class="row">
        <button type="submit" class="strong" disabled={busy || model === ''}>
          Send
        </button>
        {busy && (
          <button type="button" onClick={state.stop}>
            Stop
          </button>
        )}
        <span class="fine keys">Enter sends, Escape stops</span>
      </div>
    </form>
  );
}

const chatCall = (request: ReturnType<typeof readRequest>, origin: string): ShownCall => ({
  curl: curlOf(
    { method: 'POST', path: '/v1/chat/completions', json: { ...request, stream: true }, streams: true },
    origin,
  ),
  typescript: typescriptOf(
    origin,
    `for await (const { choices, usage, impact } of errand.chat.stream(${literal(request)})) {`,
    `  process.stdout.write(choices[0]?.delta.content ?? '');`,
    '  if (usage) console.log(usage, impact);',
    '}',
  ),
});
