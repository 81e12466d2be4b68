import type { Scene } from './scene.ts';

/** One thing that a service must do. */
export interface Check {
  name: string;
  /** Resolves with what was seen, in a few words. Throws `Failed` or `Skipped`. */
  run(scene: Scene): Promise<string>;
  /** Also made when the service cannot be used at all. */
  always?: true;
}
