import type { NewRun } from '@errand/client';
import { curlOf } from '../../calls/curl.ts';
import type { ShownCall } from '../../calls/shown-call.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';

const path = '/v1/agents/runs';

/** How a run is started and followed. A file goes along as a form. */
export const askCall = (input: NewRun, filename: string | undefined, origin: string): ShownCall =>
  filename === undefined ? plainCall(input, origin) : fileCall(input, filename, origin);

const plainCall = (input: NewRun, origin: string): ShownCall => ({
  curl: curlOf({ method: 'POST', path, json: input }, origin),
  typescript: typescriptOf(origin, `const run = await errand.runs.start(${literal(input)});`, ...followed),
});

const fileCall = (input: NewRun, filename: string, origin: string): ShownCall => ({
  curl: curlOf({ method: 'POST', path, form: { fields: formOf(input), filename } }, origin),
  typescript: [
    `import { openAsBlob } from 'node:fs';`,
    typescriptOf(
      origin,
      `const file = await openAsBlob(${literal(filename)});`,
      `const run = await errand.runs.start(${literal(input)}, { file, filename: ${literal(filename)} });`,
      ...followed,
    ),
  ].join('\n'),
});

const followed = [
  'for await (const event of run.events()) console.log(event);',
  'const { result } = await run.wait();',
  'console.log(result);',
];

const formOf = (input: NewRun): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
