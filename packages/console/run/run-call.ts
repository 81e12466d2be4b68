import { curlOf } from '../calls/curl.ts';
import type { ShownCall } from '../calls/shown-call.ts';
import { literal, typescriptOf } from '../calls/typescript.ts';

/** How a run is followed. */
export const followCall = (agentId: string, origin: string): ShownCall => ({
  curl: curlOf(
    { path: `/v1/agents/runs/${agentId}/stream`, headers: { Accept: 'text/event-stream' }, streams: true },
    origin,
  ),
  typescript: typescriptOf(
    origin,
    `const run = errand.runs.open(${literal(agentId)});`,
    'for await (const event of run.events()) console.log(event);',
    'const { status, result, usage } = await run.wait();',
    'console.log(status, result, usage);',
  ),
});
