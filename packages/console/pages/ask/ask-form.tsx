import type { Progress } from '@errand/client';
import { useSignal } from '@preact/signals';
import { AskExamples } from '../../examples/later-examples.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { later } from '../../parts/later.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { submitOnEnter } from '../../parts/submit-on-enter.ts';
import { takeFocus } from '../../parts/take-focus.ts';
import { hrefOf } from '../../shell/route.ts';
import { formatBytes } from '../../words/quantities.ts';
import { formatDuration } from '../../words/time.ts';
import { askCall } from './ask-call.ts';
import { type AskState, isConflict, readInput } from './ask-state.ts';
import { FileDrop } from './file-drop.tsx';
import { type Follows, isApproved } from './replies.ts';
import { withoutTokens } from './servers.ts';

const AskedCalls = later(async () => (await import('./asked-calls.tsx')).AskedCalls);
const AskOptions = later(async () => (await import('./ask-options.tsx')).AskOptions);

export function AskForm({ state, started }: { state: AskState; started: (agentId: string) => void }) {
  const { sending, progress, follows, replies } = state;
  const { heading, label, placeholder, button } = wordsOf(follows);
  const takesWords = !follows || (follows.takesWords && !isApproved(follows, replies.value));
  const opened = useSignal(false);
  return (
    <form
      class="card ask"
      onSubmit={(event) => {
        event.preventDefault();
        state.start(started);
      }}
    >
      {heading && <h2>{heading}</h2>}
      {follows && follows.calls.length > 0 && (
        <AskedCalls calls={follows.calls} replies={replies} hasServers={state.servers.value.length > 0} />
      )}
      {takesWords && (
        <>
          <label class="field">
            <span>{label}</span>
            <textarea
              ref={follows ? null : takeFocus}
              rows={follows ? 2 : 3}
              dir="auto"
              required={!follows?.canGoOn && !(follows?.asks && state.file.value)}
              placeholder={placeholder}
              value={state.question}
              onKeyDown={submitOnEnter}
              onInput={({ currentTarget }) => {
                state.question.value = currentTarget.value;
              }}
            />
          </label>
          <FileDrop file={state.file} />
        </>
      )}
      {!follows && state.question.value === '' && !state.file.value && <AskExamples />}
      {state.missingFile.value && !state.file.value && (
        <p class="notice" role="status">
          The file of that run, <strong>{state.missingFile}</strong>, is not kept. Choose it again.
        </p>
      )}
      <details
        class="fold"
        onToggle={({ currentTarget }) => {
          if (currentTarget.open) opened.value = true;
        }}
      >
        <summary>Agent, model, skill, tools and spending limit</summary>
        {opened.value && <AskOptions state={state} />}
      </details>
      {!opened.value && state.agent.value && <p class="fine">Asked of the agent {state.agent}</p>}
      {!opened.value && state.servers.value.length > 0 && (
        <p class="fine">With tools of {state.servers.value.map(({ name }) => name).join(', ')}</p>
      )}
      {!opened.value && state.schema.value.trim() !== '' && <p class="fine">With a shape of the result</p>}
      {progress.value && <Sending progress={progress.value} />}
      <ErrorNotice error={sending.error.value ?? state.waiting.value?.error} />
      {isConflict(sending.error.value) && (
        <p class="notice" role="status">
          The service may have started this question already: look at <a href={hrefOf('runs')}>Runs</a>.
          Asking again starts another run.
        </p>
      )}
      {state.waiting.value && (
        <p class="fine" role="status">
          It is asked again in {formatDuration(state.waiting.value.pauseMilliseconds)}.
        </p>
      )}
      {state.stopped.value && (
        <p class="notice" role="status">
          It may have been started all the same: look at <a href={hrefOf('runs')}>Runs</a>. What was read of
          the file is charged. Asking the same again starts no second run.
        </p>
      )}
      <div class="row">
        <button type="submit" class="strong" disabled={sending.busy}>
          {sending.busy.value ? 'Sending …' : button}
        </button>
        {sending.busy.value && (
          <button type="button" class="quiet" onClick={state.stop}>
            Stop sending
          </button>
        )}
        {takesWords && <span class="fine keys">Enter asks, Shift and Enter begin a new line</span>}
      </div>
      {!follows && (
        <SameCall
          call={() => askCall(withoutTokens(readInput(state)), state.file.value?.name, location.origin)}
        />
      )}
    </form>
  );
}

/** What the form is called: a question, the answer to what a run asks for, or a way on. */
function wordsOf(follows: Follows | undefined) {
  if (!follows)
    return {
      label: 'Question',
      placeholder: 'What should be found out, read, or done?',
      button: 'Ask',
    };
  if (follows.asks)
    return { heading: 'Asked of you', label: 'Your answer', placeholder: '', button: 'Go on' };
  return follows.canGoOn
    ? {
        heading: 'Go on',
        label: 'Ask further',
        placeholder: 'Without a question it goes on from where it was',
        button: 'Go on',
      }
    : { label: 'Ask further', placeholder: 'It knows what this run has read and answered', button: 'Ask' };
}

const Sending = ({ progress: { sentBytes, totalBytes } }: { progress: Progress }) => (
  <label class="progress">
    <span>
      {sentBytes < totalBytes
        ? `Sending the file: ${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}`
        : 'The file is sent, and is being read'}
    </span>
    <progress value={sentBytes} max={totalBytes} />
  </label>
);
