import { expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;

useService((started) => ({ provider, service } = started));

const follow = async (path: string) => {
  const response = await fetch(`${service.baseUrl}${path}`, { redirect: 'manual' });
  return { status: response.status, body: await response.text() };
};

const altered = { status: 403, body: 'This link is not valid.' };

async function announce(): Promise<{ payload: string; signature: string }> {
  const answer = await service.post('/v1/uploads', { filename: 'a.png', size: 68 });
  const { uploadId } = (await answer.json()) as { uploadId: string };
  const [payload = '', signature = ''] = uploadId.slice('upload_'.length).split('.');
  return { payload, signature };
}

async function saveFile(): Promise<URL> {
  const save = { name: 'save_file', args: { filename: 'report.md', content: 'Saved.' } };
  provider.script(inTurn({ calls: [save] }, { text: 'Done.' }, { text: 'Done.' }));
  const events = await service.follow(await service.start({ question: 'Save a report.' }));
  const link = /http\S+signature=[\w-]+/.exec(JSON.stringify(events))?.[0];
  return new URL(link ?? 'no link');
}

test('the signature of an upload id opens no file', async () => {
  const { payload, signature } = await announce();
  for (const part of [signature, signature.slice(0, 22)])
    for (const [agentId, name, expires] of [
      ['upload', service.accountId, payload],
      [service.accountId, payload, '99999999999'],
      ['upload-id', service.accountId, payload],
    ])
      expect(await follow(`/v1/files/${agentId}/${name}?expires=${expires}&signature=${part}`)).toEqual(
        altered,
      );
});

test('the signature of a file opens no upload, no other file and no other time', async () => {
  const url = await saveFile();
  expect((await follow(url.pathname + url.search)).status).toBe(302);
  const signature = url.searchParams.get('signature') ?? '';
  const { payload } = await announce();
  const taken = await service.post('/v1/agents/runs', {
    question: 'What is it?',
    uploadId: `upload_${payload}.${signature}`,
  });
  expect([taken.status, await taken.text()]).toEqual([400, 'uploadId: is not known']);
  for (const [name, value] of [
    ['expires', '99999999999'],
    ['expires', 'NaN'],
    ['expires', ''],
    ['signature', ''],
    ['signature', `${signature}A`],
  ] as const) {
    const changed = new URL(url);
    changed.searchParams.set(name, value);
    expect(await follow(changed.pathname + changed.search), changed.search).toEqual(altered);
  }
  const other = url.pathname.replace('report.md', 'other.md');
  expect(await follow(other + url.search)).toEqual(altered);
});
