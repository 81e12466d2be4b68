import { describeWait, type RunWait } from '@errand/client';
import { useNow } from '../parts/use-now.ts';

/** Why a run that works on nothing does not go on. */
export function WaitNotice({ waiting }: { waiting: RunWait }) {
  const now = useNow(1000);
  return (
    <p class="notice" role="status">
      {describeWait(waiting, now)}
    </p>
  );
}
