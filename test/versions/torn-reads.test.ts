import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Principal } from '@errand/platform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './connect.ts';
import { type Deps, kinds, type Stored } from './kinds.ts';
import { removeContent, removeCopy } from './processes.ts';
import { type NamedService, startService } from './support.ts';

describe.each(kinds)('$noun', (kind) => {
  /** A DynamoDB transaction is all or nothing, but a query or a batch may read some items before it and some after. */

  let service: NamedService;
  let deps: Deps;
  const principal: Principal = { keyId: 'k', accountId: 'a' };
  const owner = { scope: 'user', accountId: 'a' } as const;
  beforeAll(async () => {
    service = await startService(kind);
    deps = { ...service.deps, wait: async () => {} };
  });
  afterAll(() => service.close());

  async function twoVersions(name: string) {
    const { row } = await kind.create(deps, owner, { name, instructions: 'one' });
    return kind.update(deps, principal, row.id, { instructions: 'two' });
  }

  const put = (Item: Record<string, unknown>) =>
    deps.dynamodb.send(new PutCommand({ TableName: deps.tables.skills, Item }));

  const contentKey = (id: string, number: number) => ({
    pk: `${kind.noun}#${id}`,
    sk: `content#${String(number).padStart(12, '0')}`,
  });

  /** Removes the current content and its copy, and restores it after `commands` more commands. */
  async function lateContent({ row, content }: Stored, commands: number): Promise<Deps> {
    const Key = contentKey(row.id, 2);
    await removeContent(kind, deps, row.id, 2);
    await removeCopy(kind, deps, row);
    const before = async (index: number) => {
      if (index === commands) await put({ ...content, ...Key });
    };
    return { ...deps, dynamodb: connect(service.dynamo, { before }) };
  }

  test('content newer than the row is not taken for the current content', async () => {
    const { row, content } = await twoVersions('newer');
    await put({ ...kind.alter(content, 'three'), number: 3, ...contentKey(row.id, 3) });
    const disabled = await kind.update(deps, principal, row.id, { enabled: false });
    expect(disabled).toMatchObject({ row: { version: 2 }, content });
  });

  test.each([1, 2, 3])(
    'one whose content appears only before command %i after the first read is read whole',
    async (commands) => {
      const stored = await twoVersions(`late-${commands}`);
      const late = await lateContent(stored, commands);
      const updated = await kind.update(late, principal, stored.row.id, { description: 'd' });
      expect(updated).toMatchObject({
        row: { version: 2, description: 'd' },
        content: stored.content,
      });
    },
  );

  test('a request that names one while its new version is being written gets that version', async () => {
    const late = await lateContent(await twoVersions('resolving'), 2);
    expect(await kind.resolve(late, principal, 'resolving')).toMatchObject({ version: 2 });
  });

  test('a copy newer than the row, or older, is not taken for the current content', async () => {
    const { row, content } = await twoVersions('torn');
    for (const number of [1, 3]) {
      await put({
        ...kind.alter(content, 'torn'),
        id: row.id,
        number,
        pk: row.owner,
        sk: `${kind.keys.owned}current#torn`,
      });
      const another = { ...deps, dynamodb: connect(service.dynamo, {}) };
      expect(await kind.resolve(another, principal, 'torn')).toMatchObject({
        version: 2,
        contentHash: content.contentHash,
      });
    }
  });
});
