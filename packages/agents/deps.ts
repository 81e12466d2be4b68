import type { VersionsDeps } from '@errand/versions';

export interface AgentsDeps extends VersionsDeps {
  /** The name of the operator's scope, beside `user` and `organisation`, in answers. */
  providerScope: string;
}
