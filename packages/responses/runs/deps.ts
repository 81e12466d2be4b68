import type { StartRunDeps, StreamRoutesDeps } from '@errand/runs';

/** For responses that are runs. */
export interface RunResponseDeps extends StartRunDeps, StreamRoutesDeps {}
