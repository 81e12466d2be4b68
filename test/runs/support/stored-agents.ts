import { createAgent, deleteAgent, openFields, updateAgent, validateNewAgent } from '@errand/agents';
import { localTableNames, silentLog, systemClock } from '@errand/platform';
import { createSkill, deleteSkill } from '@errand/skills';
import { expect } from 'vitest';
import type { TestService } from '../../support/service.ts';

interface Fields {
  description?: string;
  enabled?: boolean;
}

const withoutFields = Object.fromEntries([...openFields, 'open'].map((name) => [name, null]));

const instructionsOf = (name: string) => `You are ${name}.`;

/** Stores an agent of the key's account, or its next version. `fields` are those of its creation, and `enabled`. */
export async function storeAgent(
  service: TestService,
  key: string,
  name: string,
  fields: object = {},
): Promise<{ name: string; version: number; contentHash: string }> {
  const { enabled = true, ...definition }: Fields = fields;
  const send = async (method: string, path: string, body?: object) => {
    const response = await service.request(`/v1/agents${path}`, {
      ...{ method, key, headers: { 'Content-Type': 'application/json' } },
      body: body && JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  const said = { instructions: instructionsOf(name), ...definition };
  const created = await send('POST', '', { name, ...said });
  const isThere = created.status === 409;
  expect([201, 409], created.text).toContain(created.status);
  if (isThere || !enabled) {
    const changed = await send('PATCH', `/${name}`, { ...withoutFields, ...said, enabled });
    expect(changed.status, changed.text).toBe(200);
  }
  const { versions } = JSON.parse((await send('GET', `/${name}/versions?limit=1`)).text);
  const [{ number, digest }] = versions;
  return { name, version: number, contentHash: digest };
}

export async function dropAgent(service: TestService, key: string, name: string): Promise<void> {
  expect((await service.request(`/v1/agents/${name}`, { method: 'DELETE', key })).status).toBe(204);
}

const depsOf = ({ clients: { dynamodb } }: TestService) => ({
  ...{ dynamodb, tables: localTableNames, clock: systemClock, log: silentLog },
  providerScope: 'provider',
});

/** Stores a skill of any owner. What is returned deletes it. */
export async function storeSkillOf(
  service: TestService,
  owner: Parameters<typeof createSkill>[1],
  input: Parameters<typeof createSkill>[2],
): Promise<() => Promise<void>> {
  const deps = { ...depsOf(service), skillsEnabled: true };
  const { row } = await createSkill(deps, owner, input);
  return () => deleteSkill(deps, 'operator', row.id);
}

/** Stores an agent of any owner as another process does, past the checks of the route. What is returned deletes it. */
export async function storeAgentOf(
  service: TestService,
  owner: Parameters<typeof createAgent>[1],
  name: string,
  fields: object = {},
): Promise<() => Promise<void>> {
  const deps = depsOf(service);
  const { enabled = true, ...definition }: Fields = fields;
  const input = validateNewAgent({ name, instructions: instructionsOf(name), ...definition });
  const { row } = await createAgent(deps, owner, input);
  if (!enabled) await updateAgent(deps, 'operator', row.id, { enabled });
  return () => deleteAgent(deps, 'operator', row.id);
}
