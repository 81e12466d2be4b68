import { Markdown } from '../../markdown/markdown.tsx';
import { costOf, formatEuro } from '../../words/money.ts';
import { formatCount, formatEmissions, formatEnergy } from '../../words/quantities.ts';
import { formatDuration } from '../../words/time.ts';
import { models } from '../models/models-state.ts';
import type { ChatAnswer, Turn } from './chat-state.ts';

const endings: Record<ChatAnswer['ended']['value'], string> = {
  '': '',
  stopped: 'You stopped it here. What was written is charged.',
  cut: 'It ends here, because it has reached its greatest length.',
  failed: 'It broke off here.',
};

export function TurnView({ turn: { question, answer }, live }: { turn: Turn; live: boolean }) {
  const text = answer.text.value;
  return (
    <article class="turn" aria-busy={live}>
      <p class="said-by-me">{question}</p>
      {text ? <Markdown text={text} /> : live && <p class="fine">The model has the word …</p>}
      {endings[answer.ended.value] && <p class="fine">{endings[answer.ended.value]}</p>}
      <Figures answer={answer} />
    </article>
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
