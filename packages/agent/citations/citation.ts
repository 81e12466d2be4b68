interface CitedClaimPart {
  /** The claim in the run's result, in UTF-16 units; the end is exclusive. */
  startIndex: number;
  endIndex: number;
  /** What the source says about it. Absent if nothing of the source is near the claim. */
  passage?: string;
  /** The probability that the passages of its sources support the claim. Absent without proof. */
  support?: number;
}

/** What an answer cites, as the API shows it. */
export type Citation =
  | ({ type: 'url_citation'; url: string; title: string } & CitedClaimPart)
  | ({ type: 'file_citation'; filename: string; title?: string } & CitedClaimPart);
