import { workHandler } from '@errand/service';
import type { LambdaContext } from './lambda/runtime.ts';
import { start } from './lambda/start.ts';
import { withinInvocation } from './lambda/worker-window.ts';

const work = workHandler(await start({ models: true }));

/** Works on runs, and writes deferred charges. */
export const handler = (event: Parameters<typeof work>[0], context: LambdaContext) =>
  withinInvocation(context, (window) => work(event, window));
