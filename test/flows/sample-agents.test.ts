import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { call, type Flows, toolMessages, useFlows } from './support/use-flows.ts';

const samples = path.resolve(import.meta.dirname, '../../samples');
const jsonOf = (file: string) => JSON.parse(readFileSync(path.join(samples, 'agents', file), 'utf8'));
const fileOf = (file: string) => ({
  name: path.basename(file),
  bytes: readFileSync(path.join(samples, file)),
});

let flows: Flows;
useFlows((started) => {
  flows = started;
});
beforeAll(async () => {
  for (const name of ['researcher', 'invoices', 'mail-triage']) {
    const response = await flows.service.post('/v1/agents', jsonOf(`${name}/agent.json`));
    expect([name, response.status]).toEqual([name, 201]);
  }
});

test('the researcher of the samples knows in its next run what it has told, and adds to it although it has read pages since', async () => {
  const { world, run } = flows;
  const page = `${world.url}/news.txt`;
  world.search = () => [{ title: 'News', url: page, content: 'A heat pump for ships.' }];
  const { question } = jsonOf('researcher/schedule.json');
  const about = (value: string) => [
    [call('read_data', { name: 'heat pumps' })],
    [call('web_search', { query: question })],
    [call('save_data', { name: 'heat pumps', value })],
    { text: 'A heat pump for ships [1].' },
  ];
  const asked = { question, agent: 'researcher' };
  const first = await run(about('26 November: for ships'), asked);
  expect(first.results.filter((result) => result.startsWith('Error:'))).toHaveLength(1);
  const { instructions } = jsonOf('researcher/agent.json');
  expect(JSON.stringify(flows.asked()[0]?.messages[0])).toContain(JSON.stringify(instructions).slice(1, 60));
  const next = await run(about('26 November: for ships\n27 November: for huts'), asked);
  expect(next.view).toMatchObject({
    status: 'succeeded',
    agent: { name: 'researcher', version: 1 },
    citations: [{ url: page }],
  });
  expect(toolMessages(flows.asked().at(-1))[0]).toContain('26 November: for ships');
  expect(next.results.filter((result) => result.startsWith('Error:'))).toEqual([]);
});

test('the schedule of the samples starts runs by the researcher', async () => {
  const { service, provider } = flows;
  provider.script(() => ({ text: 'Nothing new.' }));
  const schedule = jsonOf('researcher/schedule.json');
  const response = await service.post('/v1/schedules', schedule);
  const made = (await response.json()) as { id: string; nextAt: string };
  expect([response.status, made]).toEqual([201, expect.objectContaining(schedule)]);
  const started = await service.post(`/v1/schedules/${made.id}/run`, {});
  const { agentId } = (await started.json()) as { agentId: string };
  await service.follow(agentId);
  expect(await service.read(agentId)).toMatchObject({
    result: 'Nothing new.',
    agent: { name: 'researcher' },
    scheduleId: made.id,
  });
});

test('the reader of invoices of the samples writes rows without what the invoice does not bear out', async () => {
  const line = { supplier: 'Sund Island Ropes', invoice: '2026-117', date: '2026-11-27', currency: 'EUR' };
  const rows = [
    { ...line, item: 'Mooring rope, 24 mm, 50 m', quantity: 6, unitPrice: 184, amount: 1104 },
    { ...line, item: 'Fender, large', quantity: 10, unitPrice: 62.5, amount: 999 },
  ];
  flows.world.support = ({ statement }) => (statement.includes('999') ? 0.1 : 0.9);
  const written = { value: { rows }, sources: [{ pointer: '', numbers: [1] }] };
  const answers = [{ text: 'Two lines.' }, { text: JSON.stringify(written) }];
  const { view } = await flows.run(
    answers,
    { question: 'Read the invoice.', agent: 'invoices' },
    fileOf('invoice.pdf'),
  );
  const output = { rows: [rows[0], { ...rows[1], amount: null }] };
  const unsupported = ['/rows/1/amount'];
  expect(view).toMatchObject({ status: 'succeeded', effort: 'low', output, unsupported });
  expect(JSON.stringify(flows.asked()[0]?.messages)).toContain('Mooring rope, 24 mm, 50 m');
});

test('the answerer of mails of the samples has the mail and no tools, and drafts an answer', async () => {
  const output = { subject: 'Your lamp', draft: 'We are sorry.', missing: ['Is there another lamp?'] };
  const answers = [{ text: 'It is broken.' }, { text: JSON.stringify({ value: output, sources: [] }) }];
  const asked = { question: 'Draft the answer.', agent: 'mail-answers' };
  const { view } = await flows.run(answers, asked, fileOf('agents/mail-triage/mail.txt'));
  expect(view).toMatchObject({ status: 'succeeded', output });
  const [first] = flows.asked();
  expect(JSON.stringify(first?.messages)).toContain('Lamp 4711 arrived broken');
  expect((first?.tools ?? []).map(({ function: { name } }) => name)).not.toContain('web_search');
  const refused = await flows.create({ agent: 'mail-answers', tools: ['web_search'] });
  expect(refused.status).toBe(400);
});
