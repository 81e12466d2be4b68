import type { DecisionEngine, ModelKind } from './catalogue.ts';

/** What a model can do: for chat completions, and with images for decisions. */
export const capabilityNames = ['tools', 'images', 'structuredOutput', 'streaming'] as const;

export type Capabilities = Readonly<Record<(typeof capabilityNames)[number], boolean>>;

const none: Capabilities = { tools: false, images: false, structuredOutput: false, streaming: false };
const chat: Capabilities = { tools: true, images: false, structuredOutput: true, streaming: true };

const byKind: Record<ModelKind, Capabilities> = {
  chat,
  vision: { ...chat, images: true },
  speech: none,
  decision: none,
};

/** What the catalogue says of a model, and what its kind and engine say where the catalogue does not. */
export const capabilitiesOf = (
  { kind, engine }: { kind: ModelKind; engine?: DecisionEngine | undefined },
  said: Partial<Capabilities>,
): Capabilities => ({
  ...byKind[kind],
  ...(engine === 'openai_decisions' && { images: true }),
  ...said,
});
