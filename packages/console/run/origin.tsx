import type { Run } from '@errand/client';
import { hrefOf } from '../shell/route.ts';

/** What a run comes from, if it is not a question of its own. */
export const Origin = ({ run: { previousRunId, parentRunId, scheduleId } }: { run: Run }) => (
  <>
    {previousRunId && (
      <p class="fine">
        It goes on from <a href={hrefOf('runs', previousRunId)}>the run before</a>.
      </p>
    )}
    {parentRunId && (
      <p class="fine">
        It works on a part of the question of <a href={hrefOf('runs', parentRunId)}>another run</a>.
      </p>
    )}
    {scheduleId && (
      <p class="fine">
        It was started by <a href={hrefOf('schedules', scheduleId)}>a schedule</a>.
      </p>
    )}
  </>
);
