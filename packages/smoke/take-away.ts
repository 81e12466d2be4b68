import { excerpt, Failed, must } from './check.ts';
import { send } from './http/client.ts';
import { finished, type Run, readRun, whenEnded } from './runs.ts';
import type { Scene } from './scene.ts';

/** Takes away what the checks have made, and resolves with what is gone. Throws `Failed` if something is left. */
export async function takeAway(given: Scene): Promise<string> {
  // An interrupted command still takes its things away.
  const { signal } = new AbortController();
  const scene: Scene = { ...given, ask: (path, options) => given.ask(path, { ...options, signal }) };
  const left: string[] = [];
  const note = (error: unknown) => void left.push(error instanceof Error ? error.message : String(error));
  await findMore(scene).catch(note);
  const { runs, values, skills, links, openUploads } = scene.traces;
  const gone = async (things: Iterable<string>, remove: (thing: string) => Promise<boolean>) => {
    let count = 0;
    for (const thing of things)
      try {
        if (await remove(thing)) count++;
      } catch (error) {
        note(error);
      }
    return count;
  };
  const counts = [
    [await gone(runs, (id) => removeRun(scene, id)), 'run'],
    [await gone(values, (name) => removeValue(scene, name)), 'value'],
    [await gone(skills, (path) => removeSkill(scene, path)), 'skill'],
    [await gone(links, isDead), 'file'],
  ] as const;
  if (left.length > 0) throw new Failed(excerpt(left.join('; ')));
  const open = openUploads.size > 0 ? `; ${openUploads.size} link to upload ends within the hour` : '';
  const words = counts.map(([count, thing]) => `${count} ${thing}${count === 1 ? '' : 's'}`);
  return `${words.join(', ')} gone${open}`;
}

/** Adds what was made and not answered, because the command was interrupted or the answer was lost. */
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
  if (!run) return true;
  if (!finished(run.status)) {
    await (await scene.ask(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' })).text();
    await whenEnded(scene, agentId);
  }
  return remove(scene, `/v1/agents/runs/${agentId}`);
}

async function removeValue(scene: Scene, name: string): Promise<boolean> {
  const path = `/v1/values/${encodeURIComponent(name)}`;
  const found = await (await scene.ask(path)).json<{ value?: string }>();
  // What another run of this command or the account itself has saved meanwhile is not ours.
  return found?.value?.startsWith(scene.id) ? remove(scene, path) : found?.value === undefined;
}

async function removeSkill(scene: Scene, path: string): Promise<boolean> {
  const found = await scene.ask(path);
  await found.text();
  return found.status === 404 ? true : remove(scene, path);
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
