import type { NewRun } from '@errand/client';
import { curlOf } from '../../calls/curl.ts';
import type { ShownCall } from '../../calls/shown-call.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';

/** How a run is started and followed. A file goes along as a form. */
export function askCall(input: NewRun, filename: string | undefined, origin: string): ShownCall {
  const path = '/v1/agents/runs';
  return {
    curl: curlOf(
      filename === undefined
        ? { method: 'POST', path, json: input }
        : { method: 'POST', path, form: { fields: formOf(input), filename } },
      origin,
    ),
    typescript: (filename === undefined ? typescriptOf : withFiles)(
      origin,
      ...(filename === undefined
        ? [`const run = await errand.runs.start(${literal(input)});`]
        : [
            `const file = await openAsBlob(${literal(filename)});`,
            `const run = await errand.runs.start(${literal(input)}, { file, filename: ${literal(filename)} });`,
          ]),
      'for await (const event of run.events()) console.log(event);',
      'const { result } = await run.wait();',
      'console.log(result);',
    ),
  };
}

const withFiles: typeof typescriptOf = (...program) =>
  `import { openAsBlob } from 'node:fs';\n${typescriptOf(...program)}`;

const formOf = (input: NewRun): Record<string, string> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
