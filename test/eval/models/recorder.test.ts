import { expect, test } from 'vitest';
import { sendJson, serve } from '../../support/local-server.ts';
import { startRecorder } from './recorder.ts';

test('the recorder passes everything on, and notes what the model of each question was shown', async () => {
  const model = await serve((request, response) =>
    sendJson(response, 201, { path: request.path, key: request.headers.authorization }),
  );
  const recorder = await startRecorder();
  try {
    const shown = recorder.watch({
      question: 'Question one?',
      passages: ['The lamp is green.', 'The lamp is old.', 'The lamp is new.'],
      homes: ['/lamp'],
    });
    const other = recorder.watch({ question: 'Question two?', passages: ['The lamp is green.'] });
    const messages = [
      { role: 'user', content: 'Question one?' },
      { role: 'tool', content: '## Notes\n\nThe lamp  is **green**.' },
      { role: 'tool', content: '<outside_material note="x">\nThe lamp is new.\n</outside_material>' },
      { role: 'tool', content: '[1] A\nhttp://s.test/a\nIt.\n\n[2] B\nhttp://s.test/lamp\nIt.' },
    ];
    const response = await fetch(`${recorder.addressOf(`${model.url}/v1`)}/chat/completions`, {
      method: 'POST',
      headers: { Authorization: 'Bearer key' },
      body: JSON.stringify({ messages }),
    });
    expect([response.status, await response.json()]).toEqual([
      201,
      { path: '/v1/chat/completions', key: 'Bearer key' },
    ]);
    expect([shown.completions, [...shown.passages]]).toEqual([1, ['The lamp is green.', 'The lamp is new.']]);
    expect([...shown.unmarked]).toEqual(['The lamp is green.']);
    expect(shown.foundAt).toBe(2);
    expect([other.completions, other.passages.size]).toEqual([0, 0]);
  } finally {
    await Promise.all([recorder.close(), model.close()]);
  }
});

test('what a run has others work on is counted as its own, by conversation', async () => {
  const args = JSON.stringify({ questions: ['How old is it?'] });
  const asks = { tool_calls: [{ id: '1', function: { name: 'investigate', arguments: args } }] };
  const model = await serve((_, response) => sendJson(response, 200, { choices: [{ message: asks }] }));
  const recorder = await startRecorder();
  try {
    const shown = recorder.watch({ question: 'Question one?', passages: [] });
    const address = `${recorder.addressOf(`${model.url}/v1`)}/chat/completions`;
    for (const content of ['How old is it?', 'Question one?', 'How old is it?', 'How old is it?']) {
      const body = JSON.stringify({ messages: [{ role: 'user', content }] });
      await (await fetch(address, { method: 'POST', body })).text();
    }
    expect(shown.conversations).toEqual(
      new Map([
        ['Question one?', 1],
        ['How old is it?', 2],
      ]),
    );
  } finally {
    await Promise.all([recorder.close(), model.close()]);
  }
});
