import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { root } from '../../scripts/bundle-function.ts';
import { question, workOn } from './support/example.ts';
import { inChromium } from './support/in-chromium.ts';
import { visits } from './support/visits.ts';

const visit = (name: string) => visits.find((each) => each.name === name)!;

inChromium('the main way of each page', (house) => {
  beforeEach(() => house().models.script(workOn));

  const walk = async (name: string): Promise<Page> => {
    const page = await house().open(visit(name).place);
    await visit(name).go(page);
    return page;
  };
  const textOf = async (page: Page) => (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
  const save = async (page: Page, button: string) => {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const saved = await saving;
    return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') };
  };

  const callSkills = (method: string, path: string, body: object) =>
    fetch(`${house().service.baseUrl}/v1/skills${path}`, {
      method,
      headers: { Authorization: `Bearer ${house().service.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('Ask shows the answer to a question about a file with the cited passage and a link to the saved file', async () => {
    const page = await walk('ask');
    const answered = page.getByRole('article');
    expect(await answered.getByRole('table').innerText()).toContain('Fast doors for hall B');
    expect(await page.getByRole('complementary', { name: 'Citations' }).innerText()).toContain(
      'Two thirds of the electricity goes into cooling',
    );
    expect(await page.getByRole('link', { name: 'measures.csv' }).getAttribute('href')).toMatch(
      /\/v1\/files\/.+signature=/,
    );
    expect(await page.locator('.money').innerText()).toMatch(/^€0\.00\d+$/);
  });

  test('Ask shows the run as steps with calls whose inputs and results unfold', async () => {
    const page = await walk('run');
    expect(await page.getByRole('region', { name: 'Input of document_parse' }).innerText()).toContain(
      '"query": "energy electricity heating cost"',
    );
    expect(await page.getByRole('region', { name: 'Result of document_parse' }).innerText()).toContain(
      'Electricity came to 41,800 EUR',
    );
  });

  test('Ask keeps to the model, the tools and the cap that were chosen', async () => {
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('How are you?');
    await page.getByText('Agent, model, skill, tools and spending limit').click();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('eyes');
    await page.getByLabel('At most, in euros').fill('0.25');
    for (const name of ['web_search', 'web_crawl']) await page.getByLabel(name).uncheck();
    const sent = page.waitForRequest(/\/v1\/agents\/runs$/);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const input = (await sent).postDataJSON();
    expect(input).toMatchObject({ question: 'How are you?', model: 'eyes', maxCredits: '0.25' });
    expect(input.tools).toContain('save_file');
    expect(input.tools).not.toContain('web_search');
  });

  test('Runs lists what was asked with its cost, and opens it again from its events', async () => {
    const page = await walk('run');
    expect(await textOf(page)).toContain('54,100 EUR');
    await page.getByRole('button', { name: 'Ask again' }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe(question);
  });

  test('Chat streams an answer with its tokens, cost and impact', async () => {
    const page = await walk('chat');
    await page.getByRole('article').getByText('Cooling takes two thirds').waitFor();
    const told = await textOf(page);
    expect(told).toContain('Tokens 1,840 in (640 cached), 212 out');
    expect(told).toContain('Cost €0.00194');
    expect(told).toMatch(/Energy [\d.]+ \S*Wh Emissions [\d.]+ \S+ CO₂e/);
  });

  test('Chat stops when the visitor stops it, keeps the text so far, and goes on from there', async () => {
    house().models.script(({ stream }) => ({ text: stream ? endless() : 'ok' }));
    const page = await house().open('/chat');
    await page.getByText('writer · no skill').waitFor();
    await page.getByLabel('Message').fill('Go on for ever.');
    await page.keyboard.press('Enter');
    await page.getByText('word word').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('You stopped it here.').waitFor();
    house().models.script(workOn);
    const sent = page.waitForRequest(/chat\/completions$/);
    await page.getByLabel('Message').fill('And now?');
    await page.getByRole('button', { name: 'Send' }).click();
    const { messages } = (await sent).postDataJSON();
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user']);
    await page.getByText('Two things stand out.').waitFor();
  });

  test('Chat ends an answer that streams when its visitor signs out', async () => {
    const left = Promise.withResolvers<void>();
    house().models.script(({ stream }) => ({ text: stream ? endless(left.resolve) : 'ok' }));
    const page = await house().open('/chat');
    await page.getByText('writer · no skill').waitFor();
    await page.getByLabel('Message').fill('Go on for ever.');
    await page.keyboard.press('Enter');
    await page.getByText('word word').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await left.promise;
    house().models.script(workOn);
  });

  test('Decide shows a probability for every possible answer, the confidence and the legend', async () => {
    const page = await walk('decide');
    const bars = (id: string) => page.getByRole('list', { name: `Probabilities of ${id}` });
    expect(await bars('refund').innerText()).toMatch(/Yes\s+[\d.]+ %\s+No\s+[\d.]+ %/);
    expect(await bars('team').innerText()).toContain('late and lost parcels');
    expect(await bars('mood').innerText()).toContain('nobody answers');
    expect(await page.getByText('Confidence').count()).toBe(2);
  });

  test('Decide has the same request as JSON, and back as a form', async () => {
    const page = await walk('decide');
    await page.getByText('JSON', { exact: true }).click();
    const request = JSON.parse(await page.getByLabel('Request').inputValue());
    expect(Object.keys(request.questions)).toEqual(['refund', 'team', 'mood']);
    await page.getByLabel('Request').fill(JSON.stringify({ ...request, state: { days: 9 } }));
    await page.getByText('Form', { exact: true }).click();
    expect(await page.getByLabel('Case').inputValue()).toBe('{\n  "days": 9\n}');
  });

  test('Decide shows a call that the service takes before anything is written', async () => {
    const page = await house().open('/decide');
    const decides = page.getByRole('option', { name: 'judge', exact: true });
    await decides.waitFor({ state: 'attached' });
    await page.getByText('The same call in code').click();
    const curl = await page.getByRole('region', { name: 'The call as curl' }).innerText();
    const [, request = ''] = /'(\{.*\})'/s.exec(curl) ?? [];
    const { status } = await house().service.post('/v1/systemone', JSON.parse(request));
    expect(status).toBe(200);
    await page.getByText('JSON', { exact: true }).click();
    expect((await page.getByLabel('Request').boundingBox())?.height).toBeGreaterThan(240);
  });

  test('Skills publishes versions, compares them, and restores one', async () => {
    const page = await walk('skill');
    const diff = page.getByRole('region', { name: /From version 1/ });
    expect((await diff.innerText()).split('\n').map((line) => line[0])).toEqual([' ', '−', '+', ' ', '+']);
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('version 3').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Instructions' }).inputValue()).toContain(
      'Avoid jargon.\n',
    );
  });

  test('Skills keeps what is written and not saved when something else of the skill changes', async () => {
    const page = await walk('skill');
    const instructions = page.getByRole('textbox', { name: 'Instructions' });
    await instructions.fill('Not saved yet.');
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('disabled', { exact: true }).waitFor();
    expect(await instructions.inputValue()).toBe('Not saved yet.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 3').first().waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  });

  test('Skills keeps what is written while it saves, and asks before a version replaces it', async () => {
    const page = await walk('skill');
    const instructions = page.getByRole('textbox', { name: 'Instructions' });
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/skills/*', async (route) => {
      if (route.request().method() === 'PATCH') await held.promise;
      await route.continue();
    });
    await instructions.fill('two');
    await page.getByRole('button', { name: 'Save' }).click();
    await instructions.fill('two and three');
    held.resolve();
    await page.getByText('version 3').first().waitFor();
    expect(await instructions.inputValue()).toBe('two and three');
    const restore = page.getByRole('button', { name: 'Restore version 1', exact: true });
    await restore.click();
    expect(await instructions.inputValue()).toBe('two and three');
    await page.getByRole('button', { name: 'Restore, and drop what is not saved' }).click();
    await page.getByText('version 4').first().waitFor();
    expect(await instructions.inputValue()).not.toBe('two and three');
  });

  test('Skills keeps what is written and not saved when its visitor looks at something else, and says what has changed', async () => {
    const page = await walk('skill');
    const at = new URL(page.url()).hash;
    const instructions = page.getByRole('textbox', { name: 'Instructions' });
    await instructions.fill('Not saved yet.');
    await page.getByRole('link', { name: 'All skills' }).click();
    await page.getByRole('link', { name: 'New skill' }).click();
    await instructions.fill('A draft.');
    await page.getByRole('link', { name: 'All skills' }).click();
    await callSkills('PATCH', at.replace('#/skills', ''), { description: 'Changed elsewhere.' });
    await page.goBack();
    await page.getByRole('heading', { name: 'New skill' }).waitFor();
    expect(await instructions.inputValue()).toBe('A draft.');
    await page.goto(`${page.url().split('#')[0]}${at}`);
    await page.getByText('The skill was changed elsewhere since this was written.').waitFor();
    expect(await instructions.inputValue()).toBe('Not saved yet.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('version 3').first().waitFor();
    expect(await page.getByText('The skill was changed elsewhere').count()).toBe(0);
  });

  test('Skills shows more versions than one page has', async () => {
    const made = await callSkills('POST', '', { name: 'many-versions', instructions: 'Text 1.' });
    const { id } = (await made.json()) as { id: string };
    for (let number = 2; number <= 102; number++)
      await callSkills('PATCH', `/${id}`, { instructions: `Text ${number}.` });
    const page = await house().open(`/skills/${id}`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Compare version 1', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  test('Skills exports a SKILL.md, and imports it under another name', async () => {
    const page = await walk('skill');
    const { name, text } = await save(page, 'Export SKILL.md');
    expect(name).toMatch(/^plain-words-.*\.SKILL\.md$/);
    await page.getByRole('link', { name: 'All skills' }).click();
    await page.getByLabel('SKILL.md', { exact: true }).setInputFiles({
      name: 'SKILL.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from(text.replace(/^name: .*$/m, 'name: imported')),
    });
    await page.getByRole('heading', { name: 'imported' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Instructions' }).inputValue()).toContain(
      'End with the next step.',
    );
  });

  test('Usage sums up what was spent, as a chart, as a table and as CSV', async () => {
    await walk('chat');
    const page = await walk('usage');
    expect(await textOf(page)).toMatch(
      /Available €\d+\.\d\d Reserved for work under way €0 Balance €\d+\.\d\d/,
    );
    expect(await page.getByRole('img', { name: 'money by day and model' }).count()).toBe(1);
    const sums = page.getByRole('region', { name: 'Sums of the time' });
    expect(await sums.getByRole('row', { name: /^writer/ }).innerText()).toMatch(/€0\.0\d+/);
    const days = page.getByRole('table', { name: 'money by day and model' });
    expect(await days.getByRole('row').last().innerText()).toMatch(/^\d{4}-\d\d-\d\d\s+€0\.\d+/);
    await page.getByText('By kind').click();
    await sums.getByRole('row', { name: /^completion/ }).waitFor();
    const { name, text } = await save(page, 'Download CSV');
    expect(name).toMatch(/^usage-.*\.csv$/);
    expect(text).toMatch(/^day,kind,amount,requests/);
  });

  test('Usage tells what is left of the budget of the visitor’s key', async () => {
    const key = await house().newKey({ budget: { amountNanoEuro: 2_000_000_000, period: 'day' } });
    const page = await house().open('/usage', { key });
    await page.getByText('Left of this key’s budget').waitFor();
    expect(await textOf(page)).toMatch(
      /€2\.00 €0 of €2\.00 a day is spent or reserved\. It begins again at \d+ \w+ \d+, 00:00 UTC\./,
    );
  });

  test('Usage sends no request and shows nothing while its last day is before its first', async () => {
    await walk('chat');
    const page = await walk('usage');
    const chart = page.getByRole('img', { name: 'money by day and model' });
    await chart.waitFor();
    const first = await page.getByLabel('From').inputValue();
    const asked = () => house().console.requests.filter((line) => line.includes('/v1/usage')).length;
    const before = asked();
    await page.getByLabel('From').fill('2999-01-01');
    await page.getByText('“From” is after “To”').waitFor();
    expect(await chart.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(asked()).toBe(before);
    await page.getByLabel('From').fill(first);
    await chart.waitFor();
  });

  test('Models shows prices and capabilities', async () => {
    const page = await walk('models');
    const told = await page.getByRole('region', { name: 'Chat' }).innerText();
    expect(told).toContain('€2.00');
    expect(told).toContain('structured output');
    expect(told).toContain('reads 32,768 tokens');
  });

  test('Ask again takes the question and the file of the run that is shown, and no file of another one', async () => {
    const page = await walk('ask');
    const answered = page.url();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByLabel('Question').fill('Something else');
    await page.locator('input[type=file]').setInputFiles({
      name: 'other.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Other.'),
    });
    await page.goto(answered);
    await page.getByRole('button', { name: 'Ask again' }).click();
    expect(await page.getByLabel('Question').inputValue()).toBe(question);
    expect(await page.getByText('other.txt').count()).toBe(0);
    await page.getByText('depot-q3.md').waitFor();
    const sent = page.waitForRequest(/\/v1\/agents\/runs$/);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    expect((await sent).headers()['content-type']).toContain('multipart/form-data');
    await page.getByRole('heading', { name: 'Citations' }).waitFor();
  });

  test('Ask again names the file of the run if the tab no longer has the file', async () => {
    const page = await walk('ask');
    await page.reload();
    await page.getByRole('button', { name: 'Ask again' }).click();
    const missing = page.getByText('The file of that run, depot-q3.md, is not kept. Choose it again.');
    await missing.waitFor();
    await page.locator('input[type=file]').setInputFiles({
      name: 'depot-q3.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('Text.'),
    });
    await missing.waitFor({ state: 'detached' });
  });

  test('every page shows its call as curl and as TypeScript that compiles, without the key', async () => {
    const programs: string[] = [];
    const page = await house().open('/ask');
    await page.locator('input[type=file]').setInputFiles({
      name: 'a.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Text.'),
    });
    const names = ['Ask', 'Runs', 'Agents', 'Schedules', 'Chat', 'Decide', 'Skills', 'Usage', 'Models'];
    for (const name of names) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByText('The same call in code').click();
      const curl = await page.getByRole('region', { name: 'The call as curl' }).innerText();
      expect(curl).toMatch(/^curl .*\/v1\//);
      expect(curl).toContain('-H "Authorization: Bearer $ERRAND_API_KEY"');
      await page.getByText('TypeScript', { exact: true }).click();
      const typescript = await page.getByRole('region', { name: 'The call as TypeScript' }).innerText();
      programs.push(typescript);
      expect(await page.content()).not.toContain(house().service.apiKey);
      expect(page.url()).not.toContain(house().service.apiKey);
    }
    expect(await problemsOf(programs)).toBe('');
  });

  test('the reference opens in a tab of its own, and what is written stays', async () => {
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Half a question');
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'API reference' }).click();
    expect(new URL((await opening).url()).pathname).toBe('/docs');
    expect(await page.getByLabel('Question').inputValue()).toBe('Half a question');
  });

  test('an answer is kept as it is when its page is opened again by its address', async () => {
    const page = await walk('ask');
    await page.reload();
    await page.getByRole('heading', { name: 'Citations' }).waitFor();
    expect(await textOf(page)).toContain('54,100 EUR');
  });
});

async function* endless(onLeave = () => {}): AsyncGenerator<string> {
  try {
    while (true) {
      yield 'word ';
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    onLeave();
  }
}

/** What the compiler says of these programs. */
async function problemsOf(programs: readonly string[]): Promise<string> {
  const folder = await mkdtemp(path.join(root, 'dist/programs-'));
  try {
    const files = programs.map((_, i) => path.join(folder, `${i}.ts`));
    await Promise.all(files.map((file, i) => writeFile(file, programs[i] ?? '')));
    const config = { extends: '../../tsconfig.json', include: ['.'], exclude: [] };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    return await promisify(execFile)(process.execPath, [
      path.join(root, 'node_modules/typescript/bin/tsc'),
      ...['-p', folder],
    ]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}
