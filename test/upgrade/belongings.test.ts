import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { sha256Hex } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { png } from '../uploads/support.ts';
import type { Caller } from './support/caller.ts';
import { chat } from './support/fill.ts';
import { type HeldSkill, type Manifest, readManifest } from './support/manifest.ts';
import { startUpgraded, type Upgraded, upgrades } from './support/upgraded.ts';

describe.each(upgrades)('what callers of the release $release left in a $home', (upgrade) => {
  let upgraded: Upgraded;
  let manifest: Manifest;
  let settled: Caller;

  beforeAll(async () => {
    upgraded = await startUpgraded(upgrade);
    ({ manifest } = upgraded);
    settled = upgraded.call(manifest.settled.key);
  });
  afterAll(() => upgraded.stop());

  test('saved values are listed and read', async () => {
    const { values } = await settled.read<{ values: { name: string }[] }>('/v1/values');
    expect(values.map(({ name }) => name)).toEqual(Object.keys(manifest.settled.values));
    for (const [name, value] of Object.entries(manifest.settled.values))
      expect(await settled.read(`/v1/values/${name}`)).toMatchObject({ name, value });
  });

  test('the link of a saved file answers with the file', async () => {
    const { url, content } = manifest.settled.savedFile;
    const { pathname, search } = new URL(url);
    const response = await fetch(`${upgraded.baseUrl}${pathname}${search}`);
    expect([response.status, await response.text()]).toEqual([200, content]);
  });

  test('a link to upload takes its file, and a run uses it', async () => {
    const { uploadId, url, headers } = manifest.settled.upload;
    expect(await put(upgraded.endpoints.s3, url, headers, png)).toBe(200);
    const agentId = await settled.start({ question: 'What was uploaded?', uploadId });
    const events = await settled.follow(agentId);
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool_result', toolName: 'vision' }));
    expect(await settled.run(agentId)).toMatchObject({ status: 'succeeded' });
  });

  const skillsOf = {
    settled: () => manifest.settled.skills,
    covered: () => manifest.covered.skills,
  };

  describe.each(['settled', 'covered'] as const)('the skills that the account "%s" sees', (name) => {
    const caller = () => upgraded.call(manifest[name].key);
    const numbered = ({ instructions }: HeldSkill) =>
      Object.entries(instructions).filter(([number]) => number !== '0');

    test('are shown as they were', async () => {
      for (const { instructions, ...skill } of skillsOf[name]()) {
        const latest = instructions[String(skill.version ?? 0)];
        const shown = await caller().read(`/v1/skills/${skill.id}`);
        expect(shown).toMatchObject({ ...skill, instructions: latest });
      }
    });

    test('have all of their versions', async () => {
      for (const skill of skillsOf[name]().filter(({ scope }) => scope === 'user')) {
        const route = `/v1/skills/${skill.id}/versions`;
        const { versions } = await caller().read<{ versions: object[] }>(route);
        const digests = numbered(skill).map(([number, text]) => ({
          number: Number(number),
          digest: sha256Hex(text),
        }));
        expect(versions).toMatchObject(digests.toReversed());
      }
    });

    test('shape completions, each version with its own instructions', async () => {
      for (const skill of skillsOf[name]().filter(({ enabled }) => enabled)) {
        expect(await wordsFor(caller(), skill.name)).toContain(
          skill.instructions[String(skill.version ?? 0)],
        );
        for (const [number, text] of numbered(skill))
          expect(await wordsFor(caller(), { name: skill.name, version: Number(number) })).toContain(text);
      }
    });

    test('are not used while they are disabled', async () => {
      for (const skill of skillsOf[name]().filter(({ enabled }) => !enabled))
        await expect(chat(caller(), 'Hello', { skills: skill.name })).rejects.toThrow('disabled');
    });
  });

  test('a skill of an organisation is seen by that organisation alone', async () => {
    const [{ name } = { name: '' }] = manifest.covered.skills;
    await expect(chat(settled, 'Hello', { skills: name })).rejects.toThrow('unknown');
  });

  const { later } = readManifest(upgrade.release).settled;

  test.runIf(later)('a response that was kept is read, and a next one follows it', async () => {
    const { id, output } = later!.response;
    expect(await settled.read(`/v1/responses/${id}`)).toMatchObject({ id, output });
    const { requests } = upgraded.models.provider;
    const asked = { model: 'writer', input: 'And then? [follows]', previous_response_id: id };
    await settled.post('/v1/responses', asked);
    const told = requests.find(({ messages }) => JSON.stringify(messages).includes('[follows]'));
    expect(JSON.stringify(told?.messages)).toContain('Hello [response]');
  });

  test.runIf(later)('a webhook is listed, changed and deleted', async () => {
    const { webhook } = later!;
    const route = `/v1/webhooks/${webhook.id}`;
    const { webhooks } = await settled.read<{ webhooks: object[] }>('/v1/webhooks');
    expect(webhooks).toMatchObject([webhook]);
    const patch = { method: 'PATCH', headers: { 'Content-Type': 'application/json' } };
    const changed = await settled.send(route, { ...patch, body: JSON.stringify({ description: 'ours' }) });
    expect(await changed.json()).toMatchObject({ ...webhook, description: 'ours' });
    expect((await settled.send(route, { method: 'DELETE' })).status).toBe(204);
    expect((await settled.send(route)).status).toBe(404);
  });

  test('a new version follows the last one', async () => {
    const [skill] = manifest.settled.skills;
    const response = await settled.send(`/v1/skills/${skill!.id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ instructions: 'Say good night.' }),
    });
    expect(await response.json()).toMatchObject({ version: skill!.version! + 1 });
  });

  /** What the model is told when a completion names the skill. */
  async function wordsFor(caller: Caller, skills: unknown): Promise<string> {
    const { requests } = upgraded.models.provider;
    const question = `Hello ${JSON.stringify(skills)}`;
    await chat(caller, question, { skills });
    const told = requests.find(({ messages }) => messages.some(({ content }) => content === question));
    return JSON.stringify(told?.messages);
  }
});

/** Sends a file to a link, as a client of the bucket's host does: the signature holds the host. Returns the status. */
async function put(
  endpoint: string,
  link: string,
  headers: Record<string, string>,
  body: Uint8Array,
): Promise<number | undefined> {
  const { pathname, search, host } = new URL(link);
  const { hostname, port } = new URL(endpoint);
  const request = http.request({
    hostname,
    port,
    path: `${pathname}${search}`,
    method: 'PUT',
    headers: { ...headers, Host: host },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
