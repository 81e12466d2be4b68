/** In characters. Most passages have about the wanted length. */
export const sizes = {
  least: 500,
  wanted: 1_200,
  most: 2_000,
  /** A longer line may be cut. */
  line: 1_000,
  /** A longer heading of a table is not repeated. */
  repeated: 500,
  headingTitle: 80,
} as const;
