import { type Model, tellHiddenReasoning, type Usage } from '@errand/models';
import type { Log } from '@errand/platform';
import type { ChatRequest } from './dialect.ts';
import type { WrittenText } from './written-text.ts';

/** Models whose usage had more reasoning than they wrote. There are no more of them than the catalogue has. */
const seen = new WeakSet<Model>();

/** Whether the model bills reasoning that it does not write: the catalogue says so, or this process has seen it. */
export const hidesReasoning = (model: Model): boolean => model.hiddenReasoning ?? seen.has(model);

/** Whether the caller asks an upstream that has Messages not to write what the model thinks. It is billed all the same. */
export function omitsThinking(
  { answering, body }: Pick<ChatRequest, 'answering' | 'body'>,
  api: unknown,
): boolean {
  const { display } = (answering.thinking ?? body.thinking ?? {}) as { display?: unknown };
  return api === 'messages' && (display ?? 'summarized') !== 'summarized';
}

interface Answered {
  model: Model;
  /** As the provider reported it. */
  usage: Usage;
  written: WrittenText;
}

/** Remembers a model that has billed reasoning it did not write, and warns of it once. Counts only where bytes leave doubt. */
export function noteHiddenReasoning({ log }: { log: Log }, answered: Answered): void {
  const { model, usage, written } = answered;
  const { outputTokens, reasoningTokens = 0 } = usage;
  if (model.hiddenReasoning !== undefined || seen.has(model)) return;
  if (reasoningTokens <= written.reasoningBytes()) return;
  // Some models write their reasoning into their content.
  if (outputTokens > written.mostTokens()) remember(log, model);
  else
    written.countTokens().then(
      (tokens) => {
        if (outputTokens > tokens) remember(log, model);
      },
      () => {},
    );
}

function remember(log: Log, model: Model): void {
  seen.add(model);
  tellHiddenReasoning({ log }, model);
}
