import type { Scene } from './scene.ts';

/** A check of one thing that a service must do. */
export interface Check {
  name: string;
  /** Resolves with what was seen, in a few words. Throws `Failed` or `Skipped`. */
  run(scene: Scene): Promise<string>;
  /** True if the check is made even when the service cannot be used at all. */
  always?: true;
}
