/** What the checks have made and must take away. */
export interface Traces {
  runs: Set<string>;
  values: Set<string>;
  skills: Set<string>;
  /** Links to files of runs. They end with their runs. */
  links: Set<string>;
  /** Upload links that no run has used. */
  openUploads: Set<string>;
}

export const noTraces = (): Traces => ({
  runs: new Set(),
  values: new Set(),
  skills: new Set(),
  links: new Set(),
  openUploads: new Set(),
});
