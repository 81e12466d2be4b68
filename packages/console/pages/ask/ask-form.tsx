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
import { withoutTokens } from './servers.ts';

const AskOptions = later(async () => (await import('./ask-options.tsx')).AskOptions);

export function AskForm({ state, started }: { state: AskState; started: (agentId: string) => void }) {
  const { sending, progress } = state;
  const opened = useSignal(false);
  return (
    <form
      class="card ask"
      onSubmit={(event) => {
        event.preventDefault();
        state.start(started);
      }}
    >
      <label class="field">
        <span>Question</span>
        <textarea
          ref={takeFocus}
          rows={3}
          dir="auto"
          required
          placeholder="What should be found out, read, or done?"
          value={state.question}
          onKeyDown={submitOnEnter}
          onInput={({ currentTarget }) => {
            state.question.value = currentTarget.value;
          }}
        />
      </label>
      <FileDrop file={state.file} />
      {state.question.value === '' && !state.file.value && <AskExamples />}
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
        <summary>Model, skill, tools and spending limit</summary>
        {opened.value && <AskOptions state={state} />}
      </details>
      {!opened.value && state.servers.value.length > 0 && (
        <p class="fine">With tools of {state.servers.value.map(({ name }) => name).join(', ')}</p>
      )}
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
          {sending.busy.value ? 'Sending …' : 'Ask'}
        </button>
        {sending.busy.value && (
          <button type="button" class="quiet" onClick={state.stop}>
            Stop sending
          </button>
        )}
        <span class="fine keys">Enter asks, Shift and Enter begin a new line</span>
      </div>
      <SameCall
        call={() => askCall(withoutTokens(readInput(state)), state.file.value?.name, location.origin)}
      />
    </form>
  );
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
