export { authenticate } from './authenticate.ts';
export { type Credits, requireCredits } from './credits.ts';
export type { AccountsDeps } from './deps.ts';
export { countUnrouted, requireKey } from './edge.ts';
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
export { formatEuro, parseEuro } from './money.ts';
export { countRequest, type RateWindow } from './rate.ts';
