import type { VersionsDeps } from '@errand/versions';

export interface SkillsDeps extends VersionsDeps {
  skillsEnabled: boolean;
  /** The name of the operator's scope, beside `user` and `organisation`, in answers. */
  providerScope: string;
}
