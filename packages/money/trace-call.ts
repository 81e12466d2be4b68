import {
  contextOfWork,
  DomainError,
  readTraceparent,
  type SpanExporter,
  writeTraceparent,
} from '@errand/platform';
import type { Charge, ChargedTo, ChargeKind } from './charge.ts';
import { spanOfCharge } from './charge-span.ts';
import type { MoneyDeps } from './deps.ts';

/** What a request asks a provider for. */
export interface Asked {
  kind: ChargeKind;
  model: string;
  /** The request's header. */
  traceparent: string | undefined;
}

interface CallSpan {
  /** What the provider is to be told. */
  traceparent: string | undefined;
  end(charge: Charge, how: { finishReasons?: readonly unknown[] | undefined; reason?: unknown }): void;
  /** `upstream` was asked last. */
  release(reason: unknown, upstream: string | undefined): void;
}

/** Begins the span of a request's call, which is handed on once the call is over. */
export function openSpan(
  { spans, clock }: Pick<MoneyDeps, 'clock'> & { spans: SpanExporter },
  id: string,
  to: ChargedTo,
  { kind, model, traceparent }: Asked,
): CallSpan {
  const startMilliseconds = clock();
  const parent = readTraceparent(traceparent);
  const { payer, ...others } = to;
  const about = { id, kind, model, ...others, accountId: payer.accountId };
  const told = () => ({ parent, startMilliseconds, endMilliseconds: clock() });
  return {
    traceparent: spans.propagates ? writeTraceparent(contextOfWork(id, parent)) : undefined,
    end(charge, { finishReasons, reason }) {
      const errorType = charge.brokenOff && reason !== undefined ? errorTypeOf(reason) : undefined;
      const reasons = finishReasons?.filter(isFinishReason);
      spans.add([spanOfCharge({ ...about, ...charge }, { ...told(), finishReasons: reasons, errorType })]);
    },
    release(reason, upstream) {
      spans.add([spanOfCharge({ ...about, upstream }, { ...told(), errorType: errorTypeOf(reason) })]);
    },
  };
}

/** The code of an error. Its words may be a caller's or a provider's. */
const errorTypeOf = (reason: unknown): string => (reason instanceof DomainError ? reason.code : '_OTHER');

/** A provider's word for why the model stopped. A text in its place is not repeated. */
export const isFinishReason = (reason: unknown): reason is string =>
  typeof reason === 'string' && /^[A-Za-z_]{1,32}$/.test(reason);
