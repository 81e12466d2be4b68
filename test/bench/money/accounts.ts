/** What the benchmark measures, which other packages do not call themselves. */
export { countRequest } from '../../../packages/accounts/count-request.ts';
export { type CostBound, letIn, reserve } from '../../../packages/accounts/let-in.ts';
export type { Reservation } from '../../../packages/accounts/purse/reservation.ts';
export { settleCharge } from '../../../packages/accounts/settle-charge.ts';
