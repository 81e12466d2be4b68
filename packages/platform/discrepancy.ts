/** A stored record that does not agree with another, in words for the operator. */
export interface Discrepancy {
  of: 'account' | 'organisation' | 'run' | 'file' | 'webhook';
  /** The id of the account, organisation, run or webhook, or the file's key. */
  id: string;
  problem: string;
}
