/** A stored record that does not agree with another, in words for the operator. */
export interface Discrepancy {
  of: 'account' | 'organisation' | 'run' | 'file' | 'webhook' | 'schedule';
  /** The id of the account, organisation, run, webhook or schedule, or the file's key. */
  id: string;
  problem: string;
}
