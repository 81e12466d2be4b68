import { flushCompileCache } from 'node:module';
import type { GroundSettings, Queues } from './ground.ts';
import type { Point } from './points.ts';
import { type Doom, startTestWorker, type Told } from './workers.ts';

const { settings, queues, doom } = JSON.parse(process.argv[2] ?? '{}') as {
  settings: GroundSettings;
  queues: Queues;
  doom?: Doom;
};

const dieIf = (moment: Doom['moment']) => (point: Point) => {
  if (doom?.moment !== moment || doom.kind !== point.kind || doom.ordinal !== point.ordinal) return;
  // A killed process does not write its cache by itself, and the next one would compile every module again.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
};

process.once('disconnect', () => process.exit(1));
const worker = await startTestWorker(settings, queues, {
  hooks: {
    before(point) {
      if (point.kind === 'save value') process.send?.('save value' satisfies Told);
      dieIf('before')(point);
    },
    after: dieIf('after'),
  },
});
for (;;) process.send?.(await worker.handled());
