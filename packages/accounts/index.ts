export { addCredits } from './add-credits.ts';
export { type Admission, whenAdmitted } from './admission.ts';
export { authenticate } from './authenticate.ts';
export { checkBalances, sumChargesOfRun } from './check-balances.ts';
export { createAccount } from './create-account.ts';
export { createKey } from './create-key.ts';
export { createOrganisation } from './create-organisation.ts';
export type { Credits } from './credits.ts';
export type { AccountsDeps, StoreDeps, TimedStoreDeps } from './deps.ts';
export { countUnrouted, type PayingEnv, requireKey, requireKeyAndCredits } from './edge.ts';
export { freezeAccount, thawAccount } from './freeze-account.ts';
export {
  applyCharge,
  type Charge,
  type ChargeKind,
  chargeWrites,
  type LedgerEntry,
  type LedgerOwner,
  type Payer,
} from './ledger.ts';
export { type EntriesPage, listEntries } from './list-entries.ts';
export { type KeyListing, listKeys } from './list-keys.ts';
export { formatEuro, parseEuro } from './money.ts';
export type { RateWindow } from './rate.ts';
export { requireOrganisation } from './require-organisation.ts';
export { revokeKey } from './revoke-key.ts';
export { accountRoutes } from './routes.ts';
export { describeEntryToOperator, type EntryView } from './schema.ts';
export { type SettleDeps, settleCharge } from './settle-charge.ts';
export { settleInBackground, whenSettled } from './settle-in-background.ts';
export { showCredits } from './show-credits.ts';
export { updateOrganisation } from './update-organisation.ts';
export { checkRollUps } from './usage/check-roll-ups.ts';
export { writeUsageCsv } from './usage/csv.ts';
export { findUsageOwner, reportUsage, type UsageOwner, type UsageReport } from './usage/report-usage.ts';
export type { UsageRow } from './usage/rows.ts';
export { readUsageQuery } from './usage/schema.ts';
export { type KeyEnd, readKeyEnd, requireKeyStill, watchKey } from './watch-key.ts';
