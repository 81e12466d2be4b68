/** Ids by which a claim and its passage lead to each other. */
export const passageId = (passage: number): string => `passage-${passage}`;
export const markId = (passage: number): string => `mark-${passage}`;
