import { contextOfWork, type Span, type TraceContext } from '@errand/platform';
import type { Charge, ChargeKind } from './charge.ts';

/** What a span tells of a charge. A skill is left out, because its owner chose its name. */
type Charged = Omit<
  Charge,
  'price' | 'reservation' | 'skill' | 'payer' | 'at' | 'amountNanoEuro' | 'upstream'
> &
  Partial<Pick<Charge, 'amountNanoEuro'>> & { accountId: string; upstream?: string | undefined };

interface Told {
  parent: TraceContext | undefined;
  startMilliseconds: number;
  endMilliseconds: number;
  finishReasons?: readonly string[] | undefined;
  errorType?: string | undefined;
}

/** The names that OpenTelemetry has for these operations, and ours where it has none. */
const operations: Readonly<Record<ChargeKind, string>> = {
  completion: 'chat',
  vision: 'chat',
  embedding: 'embeddings',
  transcription: 'transcription',
  decision: 'decision',
};

/** OpenTelemetry's names of providers, by their hosts. */
const providers: Readonly<Record<string, string>> = {
  'api.anthropic.com': 'anthropic',
  'api.cohere.com': 'cohere',
  'api.deepseek.com': 'deepseek',
  'api.groq.com': 'groq',
  'api.mistral.ai': 'mistral_ai',
  'api.openai.com': 'openai',
  'api.perplexity.ai': 'perplexity',
  'api.x.ai': 'x_ai',
  'generativelanguage.googleapis.com': 'gcp.gemini',
};

/** The call of a provider that is charged, or that cost nothing, as a span. Its id is made of the charge's. */
export function spanOfCharge(charge: Charged, told: Told): Span {
  const { id, kind, model, upstream } = charge;
  const { parent, startMilliseconds, endMilliseconds, finishReasons, errorType } = told;
  const [host, ...rest] = upstream?.split('/') ?? [];
  const [address, port] = host?.split(/:(?=\d+$)/) ?? [];
  const operation = operations[kind];
  return {
    ...contextOfWork(id, parent),
    parentSpanId: parent?.spanId,
    name: model === undefined ? operation : `${operation} ${model}`,
    kind: 'client',
    startMilliseconds,
    endMilliseconds,
    errorType: errorType ?? (charge.brokenOff ? 'broken_off' : undefined),
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': providers[address ?? ''] ?? address ?? '_OTHER',
      'gen_ai.request.model': model,
      'gen_ai.response.model': rest.length > 0 ? rest.join('/') : undefined,
      'gen_ai.response.finish_reasons': finishReasons?.length ? finishReasons : undefined,
      'gen_ai.usage.input_tokens': charge.inputTokens,
      'gen_ai.usage.cache_read.input_tokens': charge.cachedInputTokens,
      'gen_ai.usage.cache_creation.input_tokens': charge.cacheWriteTokens,
      'gen_ai.usage.output_tokens': charge.outputTokens,
      'server.address': address,
      'server.port': address === undefined ? undefined : Number(port ?? 443),
      'errand.audio_seconds': charge.seconds,
      'errand.cost_nano_euro': charge.amountNanoEuro,
      'errand.written_off_nano_euro': charge.writtenOffNanoEuro,
      'errand.reasoning_tokens': charge.reasoningTokens,
      'errand.energy_wms': charge.energy,
      'errand.emissions_ug': charge.emissions,
      'errand.charge.id': id,
      'errand.account.id': charge.accountId,
      'errand.key.id': charge.keyId,
      'errand.request.id': charge.requestId,
      'errand.run.id': charge.runId,
      'errand.step': charge.step,
    },
  };
}
