import { useEffect, useRef } from 'preact/hooks';
import { Markdown } from '../../markdown/markdown.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { submitOnEnter } from '../../parts/submit-on-enter.ts';
import { costOf, formatEuro } from '../../words/money.ts';
import { formatCount, formatEmissions, formatEnergy } from '../../words/quantities.ts';
import { formatDuration } from '../../words/time.ts';
import { models } from '../models/models-state.ts';
import type { ChatAnswer, ChatState, Turn } from './conversation.ts';

const endings: Record<ChatAnswer['ended']['value'], string> = {
  '': '',
  stopped: 'You stopped it here. What was written is charged.',
  cut: 'It ends here, because it has reached its greatest length.',
  failed: 'It broke off here.',
};

interface TurnProps {
  state: ChatState;
  /** The model that an edited message goes to. */
  model: string;
  turn: Turn;
  live: boolean;
}

export function TurnView({ state, model, turn, live }: TurnProps) {
  const { answer } = turn;
  const text = answer.text.value;
  return (
    <article class="turn" aria-busy={live}>
      <Asked state={state} model={model} turn={turn} />
      <h2 class="unseen">Answer</h2>
      {text ? <Markdown text={text} /> : live && <p class="fine">The model has the word …</p>}
      {endings[answer.ended.value] && <p class="fine">{endings[answer.ended.value]}</p>}
      <div class="row spread">
        <Figures answer={answer} />
        {text && !live && <CopyButton text={text} name="Copy answer" />}
      </div>
    </article>
  );
}

function Asked({ state, model, turn: { id, question } }: Omit<TurnProps, 'live'>) {
  const edited = state.edited.value;
  const busy = state.sending.busy.value;
  const edit = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    state.edited.value = undefined;
    requestAnimationFrame(() => edit.current?.focus());
  };
  if (edited?.turn === id) return <EditForm {...{ state, model, edited, busy, cancel }} />;
  return (
    <div class="asked-here">
      <p class="said-by-me" dir="auto">
        {question}
      </p>
      <button
        ref={edit}
        type="button"
        class="quiet"
        disabled={busy}
        onClick={() => {
          state.edited.value = { turn: id, text: question };
        }}
      >
        Edit
      </button>
    </div>
  );
}

interface EditProps extends Pick<TurnProps, 'state' | 'model'> {
  edited: { turn: number; text: string };
  busy: boolean;
  cancel: () => void;
}

function EditForm({ state, model, edited, busy, cancel }: EditProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (model !== '') state.sendEdited(model);
      }}
    >
      <textarea
        ref={field}
        dir="auto"
        required
        aria-label="Edited message"
        value={edited.text}
        onKeyDown={(event) => {
          if (event.key === 'Escape') cancel();
          else submitOnEnter(event);
        }}
        onInput={({ currentTarget }) => {
          state.edited.value = { ...edited, text: currentTarget.value };
        }}
      />
      <div class="row">
        <button type="submit" class="strong" disabled={busy || model === ''}>
          Ask again
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
        <span class="fine">The messages after this one are removed.</span>
      </div>
    </form>
  );
}

function Figures({ answer }: { answer: ChatAnswer }) {
  const usage = answer.usage.value;
  const impact = answer.impact.value;
  if (!usage) return null;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const cost = priceOf(answer);
  return (
    <dl class="figures fine">
      <Figure name="Model" value={answer.model} />
      <Figure
        name="Tokens"
        value={`${formatCount(usage.prompt_tokens)} in${cached ? ` (${formatCount(cached)} cached)` : ''}, ${formatCount(usage.completion_tokens)} out`}
      />
      {cost !== undefined && <Figure name="Cost" value={formatEuro(cost)} />}
      {impact && <Figure name="Inference" value={formatDuration(impact.inferenceTime.total)} />}
      {impact && <Figure name="Energy" value={formatEnergy(impact.energy.total)} />}
      {impact && <Figure name="Emissions" value={formatEmissions(impact.emissions.total)} />}
    </dl>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** By the prices of today: a completion does not say what it cost. */
function priceOf({ model, usage }: ChatAnswer): number | undefined {
  const { pricing } = models().data.value?.models.find(({ id }) => id === model) ?? {};
  if (!pricing || !usage.value) return undefined;
  const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = usage.value;
  return costOf(
    {
      input: prompt_tokens,
      cachedInput: details?.cached_tokens ?? 0,
      cacheWrite: details?.cache_write_tokens ?? 0,
      output: completion_tokens,
    },
    pricing,
  );
}
