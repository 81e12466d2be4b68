import type { Report } from '../report.ts';
import type { Ordered } from './ordered-values.ts';

/** What the readers of a request's parts share. */
export interface Reader {
  ordered: Ordered;
  report: Report;
}
