import { type Followed, followRun } from './follow-run.ts';
import { must, Skipped } from './outcome.ts';
import { createRun } from './runs.ts';
import type { Scene } from './scene.ts';

/** Names that a path must carry in another form, and that proxies like to change. */
export const valueNames = ['a/b', 'what?', '#1', '50%', 'ä'] as const;

export const fileContent = 'Grüße: 100 % & more? #1';
export const fileName = '50%_ä?#1.md';

interface SavingRun {
  agentId: string;
  followed: Followed;
  /** The values that the run was asked to save, by name. */
  values: ReadonlyMap<string, string>;
}

/** One run that saves values and a file, and then writes slowly, so that its stream can be seen to be live. */
export const savingRun = (scene: Scene): Promise<SavingRun> =>
  scene.once('saving run', async () => {
    await requireFree(scene);
    const values = new Map(valueNames.map((name, i) => [name, `${scene.id}-${i + 1}`]));
    const agentId = await createRun(scene, {
      question: questionFor(values),
      tools: ['save_data', 'save_file'],
    });
    for (const name of valueNames) scene.traces.values.add(name);
    return { agentId, followed: await followRun(scene, agentId), values };
  });

const questionFor = (values: ReadonlyMap<string, string>): string =>
  [
    ...[...values].map(([name, value]) => `Save the value "${value}" under the name "${name}".`),
    `Save "${fileContent}" to a file "${fileName}".`,
    'Use these names exactly as they are. Then answer slowly, with the numbers from one to thirty as words.',
  ].join(' ');

/** A value that exists before the run belongs to somebody else, and must not be replaced. */
async function requireFree(scene: Scene): Promise<void> {
  for (const name of valueNames) {
    const answer = await scene.ask(`/v1/values/${encodeURIComponent(name)}`);
    const found = await answer.json<{ value: string }>();
    if (answer.status === 200 && found?.value !== undefined && !found.value.startsWith('smoke-'))
      throw new Skipped(`the account has a saved value of its own that is named ${name}`);
    must([200, 404].includes(answer.status), `GET /v1/values/${encodeURIComponent(name)}: ${answer.status}`);
  }
}

/** The arguments and results of the run's calls of one tool. */
export function callsOf({ events }: Followed, tool: string): { input: string; result: string | undefined }[] {
  const parsed = events.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
  const of = (type: string) => parsed.filter((event) => event.type === type && event.toolName === tool);
  const results = of('tool_result');
  return of('tool_call').map(({ input }, i) => {
    const result = results[i]?.result;
    return {
      input: typeof input === 'string' ? input : JSON.stringify(input),
      result: result === undefined ? undefined : String(result),
    };
  });
}
