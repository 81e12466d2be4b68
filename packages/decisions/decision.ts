import type { Model } from '@errand/models';
import type { CompletionBound, Credits } from '@errand/money';
import type { Price, Principal } from '@errand/platform';
import type { Dialect } from './dialects/dialect.ts';
import type { DecisionRequest } from './request.ts';

/** A valid request for a decision, with the most that it may cost. */
export interface ReadDecision {
  dialect: Dialect;
  model: Model;
  request: DecisionRequest;
  passes: DecisionRequest[];
  /** The prices that hold when the request comes in. */
  price: Price;
  bound: CompletionBound;
}

/** What a decision's charge names beside its tokens. */
export interface Asker {
  principal: Principal;
  requestId: string;
  traceparent?: string | undefined;
  credits: Credits;
  /** The id of the charge, where the same decision may be asked for again. */
  chargeId?: string;
}
