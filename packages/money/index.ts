export { addCredits, openingWrites } from './add-credits.ts';
export {
  allOrNothing,
  boundCompletion,
  type CompletionBound,
  type CostBound,
  nothingYet,
  withinCap,
} from './bound.ts';
export {
  type Charge,
  type Cost,
  chargeOf,
  type Payer,
  priceWork,
  tokensCost,
  type Work,
} from './charge.ts';
export { spanOfCharge } from './charge-span.ts';
export { checkBalances, sumChargesOfRun } from './check-balances.ts';
export type { MoneyDeps, Notice, StoreDeps, TimedStoreDeps } from './deps.ts';
export { formatEuro, parseEuro } from './euro.ts';
export { applyCharge, type LedgerEntry, transactCharges } from './ledger.ts';
export { listChargesOfRun, listEntries } from './list-entries.ts';
export { isStillTrue, noticeCharge } from './notices.ts';
export {
  keepAside,
  openCall,
  openRequestCall,
  type PaidCall,
  partAside,
  type SetAside,
  type Taking,
} from './paid-call.ts';
export type { Entered } from './purse/enter.ts';
export { keepReservation } from './purse/keep-reservation.ts';
export { prolong } from './purse/prolong.ts';
export { type Purse, windowAttribute } from './purse/purse.ts';
export { rebuildPurse } from './purse/rebuild.ts';
export { releaseAbandoned } from './purse/release-abandoned.ts';
export {
  canEnd,
  type Reservation,
  releaseReservation,
} from './purse/reservation.ts';
export { holdsUnchanged, readStoredPurse } from './purse/store.ts';
export { readAccountPurse, readBalance, readBalances, readCredits } from './read-credits.ts';
export {
  type CountedWindow,
  type Credits,
  countIn,
  letIntoPurse,
  reserve,
} from './reserve.ts';
export { moneyRoutes } from './routes.ts';
export { describeEntryToOperator, type EntryView } from './schema.ts';
export { settleCharge } from './settle-charge.ts';
export { releaseLater, settleLater, whenSettled } from './settle-in-background.ts';
export { showCredits } from './show-credits.ts';
export { type ItemKey, itemKeys, readItem } from './store.ts';
export { isFinishReason } from './trace-call.ts';
export { checkRollUps } from './usage/check-roll-ups.ts';
export { writeUsageCsv } from './usage/csv.ts';
export { reportUsage, type UsageOwner } from './usage/report-usage.ts';
export type { UsageRow } from './usage/rows.ts';
export { readUsageQuery } from './usage/schema.ts';
