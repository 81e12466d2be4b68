/** Milliseconds since the epoch. */
export type Clock = () => number;

export const toIso = (milliseconds: number): string => new Date(milliseconds).toISOString();
