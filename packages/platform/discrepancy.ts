/** A stored record that does not agree with another, in words for the operator. */
export interface Discrepancy {
  of: 'account' | 'run' | 'file';
  /** The account's or run's id, or the file's key. */
  id: string;
  problem: string;
}
