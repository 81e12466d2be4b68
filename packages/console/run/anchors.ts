/** Ids of what opens a passage: a marker of the answer, by its place among them, and a claim in the list of citations. */
export const markerId = (marker: number): string => `marker-${marker}`;
export const claimId = (citation: number): string => `claim-${citation}`;
