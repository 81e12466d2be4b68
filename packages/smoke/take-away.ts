import { send } from './http/client.ts';
import { Failed, must } from './outcome.ts';
import { finished, type Run, readRun, whenEnded } from './runs.ts';
import type { Scene } from './scene.ts';
import { describe, excerpt } from './show.ts';

/** Takes away what the checks have made, and resolves with what is gone. Throws `Failed` if something is left. */
export async function takeAway(given: Scene): Promise<string> {
  // An interrupted command still takes its things away.
  const { signal } = new AbortController();
  const scene: Scene = { ...given, ask: (path, options) => given.ask(path, { ...options, signal }) };
  const left: Left[] = [];
  await findMore(scene).catch((error) => left.push(leftOf('what was made and not answered', error)));
  const { runs, values, skills, links, openUploads } = scene.traces;
  const gone = async (
    kind: string,
    things: Iterable<string>,
    remove: (thing: string) => Promise<boolean>,
  ) => {
    let count = 0;
    for (const thing of things)
      try {
        if (isSilent(left)) left.push({ ...left[left.length - 1], thing: `${kind} ${thing}` } as Left);
        else if (await remove(thing)) count++;
      } catch (error) {
        left.push(leftOf(`${kind} ${thing}`, error));
      }
    return [count, kind] as const;
  };
  const counts = [
    await gone('run', runs, (id) => removeRun(scene, id)),
    await gone('value', values, (name) => removeValue(scene, name)),
    await gone('skill', skills, (path) => removeSkill(scene, path)),
    await gone('file', links, isDead),
  ];
  if (left.length > 0) throw new Failed(wordsOf(left));
  const open = openUploads.size > 0 ? `; ${openUploads.size} link to upload ends within the hour` : '';
  const words = counts.map(([count, thing]) => `${count} ${thing}${count === 1 ? '' : 's'}`);
  return `${words.join(', ')} gone${open}`;
}

/** The things that may be left, and why. */
interface Left {
  thing: string;
  reason: string;
  /** Whether the service did not answer at all. */
  silent: boolean;
}

const leftOf = (thing: string, error: unknown): Left => ({
  thing,
  reason: excerpt(error instanceof Failed ? error.message : describe(error)),
  silent: !(error instanceof Failed),
});

/** A service that has twice in a row not answered is asked to delete nothing more. */
const isSilent = (left: readonly Left[]): boolean =>
  left.length >= 2 && left.slice(-2).every(({ silent }) => silent);

const wordsOf = (left: readonly Left[]): string => {
  const groups = [...Map.groupBy(left, ({ reason }) => reason)];
  return groups
    .map(([reason, all]) => `may be left: ${all.map(({ thing }) => thing).join(', ')} (${reason})`)
    .join('; ');
};

/**
 * Adds things that were made but whose creation got no answer, because the command was interrupted or the answer
 * was lost.
 */
async function findMore(scene: Scene): Promise<void> {
  const { runs, skills } = scene.traces;
  const ours = await list<{ runs: Run[] }>(scene, '/v1/agents/runs?limit=100');
  for (const { agentId, metadata } of ours.runs) if (metadata?.smoke === scene.id) runs.add(agentId);
  const all = await list<{ skills: Skill[] }>(scene, '/v1/skills');
  for (const { id, name } of all.skills)
    if (name.startsWith(scene.id)) skills.add(`/v1/skills/${encodeURIComponent(id)}`);
}

async function list<T>(scene: Scene, path: string): Promise<T> {
  const answer = await scene.ask(path);
  const text = await answer.text();
  must(answer.status === 200, `GET ${path}: ${answer.status} ${excerpt(text)}`);
  return JSON.parse(text) as T;
}

interface Skill {
  id: string;
  name: string;
}

async function removeRun(scene: Scene, agentId: string): Promise<boolean> {
  const run = await readRun(scene, agentId);
  if (!run) return false;
  if (!finished(run.status)) {
    await (await scene.ask(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' })).text();
    await whenEnded(scene, agentId);
  }
  return remove(scene, `/v1/agents/runs/${agentId}`);
}

async function removeValue(scene: Scene, name: string): Promise<boolean> {
  const path = `/v1/values/${encodeURIComponent(name)}`;
  const found = await (await scene.ask(path)).json<{ value?: string }>();
  // A value that another run of this command, or the account itself, has saved meanwhile is not ours to delete.
  return found?.value?.startsWith(scene.id) ? remove(scene, path) : false;
}

async function removeSkill(scene: Scene, path: string): Promise<boolean> {
  const found = await scene.ask(path);
  await found.text();
  return found.status === 404 ? false : remove(scene, path);
}

async function remove(scene: Scene, path: string): Promise<boolean> {
  const deleted = await scene.ask(path, { method: 'DELETE' });
  await deleted.text();
  const after = await scene.ask(path);
  await after.text();
  must(after.status === 404, `DELETE ${path}: ${deleted.status}, and GET after it: ${after.status}`);
  return true;
}

/** A link to a file leads nowhere once its run is deleted. */
async function isDead(link: string): Promise<boolean> {
  const answer = await send(link, {});
  await answer.text();
  must(answer.status === 404, `the link of a deleted run's file: ${answer.status}`);
  return true;
}
