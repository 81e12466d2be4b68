import { allowOneThread } from '@errand/platform';
import { workHandler } from '@errand/service';
import type { LambdaContext } from './lambda/runtime.ts';
import { start } from './lambda/start.ts';
import { withinInvocation } from './lambda/worker-window.ts';

// The function has memory for one thread beside its runs, whose calls of tools may want several at once.
allowOneThread();

const work = workHandler(await start({ models: true, links: true }));

/** Works on runs, and writes deferred charges. */
export const handler = (event: Parameters<typeof work>[0], context: LambdaContext) =>
  withinInvocation(context, (window) => work(event, window));
