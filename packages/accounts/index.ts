export { addCredits } from './add-credits.ts';
export { authenticate } from './authenticate.ts';
export { checkBalances, sumChargesOfRun } from './check-balances.ts';
export { createAccount } from './create-account.ts';
export { createKey } from './create-key.ts';
export { createOrganisation } from './create-organisation.ts';
export type { AccountsDeps, StoreDeps, TimedStoreDeps } from './deps.ts';
export { type Door, type PayingEnv, requirePayingKey } from './door.ts';
export { countUnrouted, requireKey } from './edge.ts';
export { freezeAccount, thawAccount } from './freeze-account.ts';
export { checkModel, checkModels, checkRoute, mayUse, mayUseModel } from './key-limits.ts';
export {
  applyCharge,
  type Charge,
  type ChargeKind,
  chargeWrites,
  type LedgerEntry,
  type LedgerOwner,
  type Payer,
  withPresentHolds,
} from './ledger.ts';
export { type CostBound, type Credits, nothingYet, reserve, withinCap } from './let-in.ts';
export { type AccountListing, listAccounts } from './list-accounts.ts';
export { type EntriesPage, listEntries } from './list-entries.ts';
export { type KeyListing, listKeys } from './list-keys.ts';
export { listOrganisations } from './list-organisations.ts';
export { formatEuro, parseEuro } from './money.ts';
export type { Notice } from './notice.ts';
export { isStillTrue, noticeCharge } from './notices.ts';
export { type Covered, coverPrice } from './purse/cover-price.ts';
export { deleteDraft } from './purse/drafts.ts';
export { type KeptReservation, keepReservation } from './purse/keep-reservation.ts';
export { prolong } from './purse/prolong.ts';
export {
  canEnd,
  type Reservation,
  readReservation,
  releaseReservation,
  splitReservation,
} from './purse/reservation.ts';
export { holdsUnchanged } from './purse/store.ts';
export type { RateWindow } from './rate.ts';
export { readCredits } from './read-credits.ts';
export { requireOrganisation } from './require-organisation.ts';
export { revokeKey } from './revoke-key.ts';
export { accountRoutes } from './routes.ts';
export { describeEntryToOperator, type EntryView } from './schema.ts';
export { type SettleDeps, settleCharge, settleCovered } from './settle-charge.ts';
export { releaseLater, settleLater, whenSettled } from './settle-in-background.ts';
export { showCredits } from './show-credits.ts';
export type { Organisation } from './store.ts';
export { changeLimits, type KeyChanges, updateKey } from './update-key.ts';
export { updateOrganisation } from './update-organisation.ts';
export { checkRollUps } from './usage/check-roll-ups.ts';
export { writeUsageCsv } from './usage/csv.ts';
export { findUsageOwner, reportUsage, type UsageOwner, type UsageReport } from './usage/report-usage.ts';
export type { UsageRow } from './usage/rows.ts';
export { readUsageQuery } from './usage/schema.ts';
export { type KeyEnd, readKeyEnd, readKeyLimits, requireKeyStill, watchKey } from './watch-key.ts';
