import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Principal } from '@errand/platform';
import {
  createSkill,
  resolveSkill,
  type SkillRoutesDeps,
  type StoredSkill,
  updateSkill,
} from '@errand/skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { removeContent, removeCopy } from './processes.ts';
import { type SkillService, startSkillService } from './support.ts';

/** A DynamoDB transaction is all or nothing, but a query or a batch may read some items before it and some after. */

let service: SkillService;
let deps: SkillRoutesDeps;
const principal: Principal = { keyId: 'k', accountId: 'a' };
const owner = { scope: 'user', accountId: 'a' } as const;
beforeAll(async () => {
  service = await startSkillService();
  deps = { ...service.deps, wait: async () => {} };
});
afterAll(() => service.close());

async function twoVersions(name: string) {
  const { row } = await createSkill(deps, owner, { name, instructions: 'one' });
  return updateSkill(deps, principal, row.id, { instructions: 'two' });
}

const put = (Item: Record<string, unknown>) =>
  deps.dynamodb.send(new PutCommand({ TableName: deps.tables.skills, Item }));

const contentKey = (id: string, number: number) => ({
  pk: `skill#${id}`,
  sk: `content#${String(number).padStart(12, '0')}`,
});

/** Removes the current content and its copy, and restores it after `commands` more commands. */
async function lateContent({ row, content }: StoredSkill, commands: number): Promise<SkillRoutesDeps> {
  const Key = contentKey(row.id, 2);
  await removeContent(deps, row.id, 2);
  await removeCopy(deps, row);
  const before = async (index: number) => {
    if (index === commands) await put({ ...content, ...Key });
  };
  return { ...deps, dynamodb: connect(service.dynamo, { before }) };
}

test('content newer than the row is not taken for the current content', async () => {
  const { row, content } = await twoVersions('newer');
  await put({ ...content, number: 3, instructions: 'three', ...contentKey(row.id, 3) });
  const disabled = await updateSkill(deps, principal, row.id, { enabled: false });
  expect(disabled).toMatchObject({ row: { version: 2 }, content: { instructions: 'two' } });
});

test.each([1, 2, 3])(
  'a skill whose content appears only before command %i after the first read is read whole',
  async (commands) => {
    const stored = await twoVersions(`late-${commands}`);
    const late = await lateContent(stored, commands);
    const updated = await updateSkill(late, principal, stored.row.id, { description: 'd' });
    expect(updated).toMatchObject({
      row: { version: 2, description: 'd' },
      content: { instructions: 'two' },
    });
  },
);

test('a request that names a skill while its new version is being written gets that version', async () => {
  const late = await lateContent(await twoVersions('resolving'), 2);
  expect(await resolveSkill(late, principal, 'resolving')).toMatchObject({ version: 2 });
});

test('a copy newer than the row, or older, is not taken for the current content', async () => {
  const { row, content } = await twoVersions('torn');
  for (const number of [1, 3]) {
    await put({ ...content, id: row.id, number, instructions: 'torn', pk: row.owner, sk: 'current#torn' });
    const another = { ...deps, dynamodb: connect(service.dynamo, {}) };
    expect(await resolveSkill(another, principal, 'torn')).toMatchObject({
      version: 2,
      contentHash: content.contentHash,
    });
  }
});
