import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { question, workOn } from './support/example.ts';
import { inChromium } from './support/in-chromium.ts';

inChromium('the way into the console', (house) => {
  const focused = (page: Page) => page.evaluate('document.activeElement.localName');
  const examples = (page: Page) => page.getByRole('region', { name: 'Examples' }).getByRole('button');
  const chatNeedsModels = (page: Page) =>
    page.getByRole('option', { name: 'writer', exact: true }).waitFor({ state: 'attached' });

  test.each([
    ['Ask', 'Question'],
    ['Chat', 'Message'],
    ['Decide', 'Case'],
  ])('%s has the focus in its box, when it is opened by its address and by its link', async (name, label) => {
    const page = await house().open(`/${name.toLowerCase()}`);
    const box = page.getByRole('textbox', { name: label }).and(page.locator(':focus'));
    await box.waitFor();
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    await page.getByRole('link', { name, exact: true }).click();
    await box.waitFor();
  });

  test('Ask offers three questions while its box is empty, and a click fills it without sending', async () => {
    const page = await house().open('/ask');
    await examples(page).first().waitFor();
    expect(await examples(page).count()).toBe(3);
    await examples(page).first().click();
    expect(await page.getByLabel('Question').inputValue()).toMatch(/delays/);
    await page.getByText('harbour-report.md').waitFor();
    expect(await examples(page).count()).toBe(0);
    expect(await focused(page)).toBe('textarea');
    expect(house().console.requests.filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  test('Chat, Decide, Skills and Runs offer three examples each while they are empty', async () => {
    const { key } = await house().service.newAccount('1');
    const page = await house().open('/chat', { key });
    await examples(page).first().click();
    expect(await page.getByLabel('Message').inputValue()).toMatch(/sky/);
    for (const [at, kind] of ['noul', 'choice', 'score'].entries()) {
      await page.reload();
      await page.getByRole('link', { name: 'Decide' }).click();
      await examples(page).nth(at).click();
      expect(await page.getByLabel('Kind of answer').inputValue()).toBe(kind);
    }
    await page.getByRole('link', { name: 'Skills' }).click();
    await examples(page).first().click();
    await page.getByRole('heading', { name: 'New skill' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('plain-words');
    await page.getByRole('link', { name: 'Runs' }).click();
    await examples(page).nth(1).click();
    await page.getByRole('heading', { name: 'Ask' }).waitFor();
    expect(await page.getByLabel('Question').inputValue()).toMatch(/Ada Lovelace/);
  });

  test('an example of each kind of decision is one that the service takes', async () => {
    for (const at of [0, 1, 2]) {
      const page = await house().open('/decide');
      await page.getByRole('option', { name: 'judge', exact: true }).waitFor({ state: 'attached' });
      await examples(page).nth(at).click();
      await page.getByRole('button', { name: 'Decide', exact: true }).click();
      await page.getByText('Confidence').or(page.locator('.bars')).first().waitFor();
      await page.context().close();
    }
  });

  test('the balance is in view on every page, read once, and again after a run and a chat alone', async () => {
    house().models.script(workOn);
    const { key } = await house().service.newAccount('5');
    const page = await house().open('', { key: '' });
    const before = house().console.requests.length;
    const reads = () =>
      house()
        .console.requests.slice(before)
        .filter((line) => line.startsWith('GET /v1/credits')).length;
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    const shown = page.getByRole('link', { name: /^Available/ });
    await shown.waitFor();
    expect(await shown.innerText()).toBe('Available €5.00');
    await page.getByRole('link', { name: 'Chat' }).click();
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    expect(await shown.innerText()).toBe('Available €5.00');
    expect(reads()).toBe(1);
    await page.getByRole('link', { name: 'Chat' }).click();
    await chatNeedsModels(page);
    await page.getByLabel('Message').fill('What stands out?');
    await page.keyboard.press('Enter');
    await page.getByText('Emissions').waitFor();
    await expect.poll(reads).toBe(2);
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    await expect.poll(reads).toBe(3);
  });

  test('the balance of a key with a budget is what is left of the budget', async () => {
    const key = await house().newKey({ budget: { amountNanoEuro: 2_000_000_000, period: 'day' } });
    const page = await house().open('/models', { key });
    expect(await page.getByRole('link', { name: /^Available/ }).innerText()).toBe('Available €2.00');
  });

  test('a run that is not known offers no Cancel, and is not said to wait', async () => {
    const page = await house().open('/runs/00000000-0000-0000-0000-000000000000');
    await page.getByText('This run is gone').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    expect(await page.getByText('Waiting for a worker').count()).toBe(0);
  });

  test('a run that was cancelled looks so in its page and in the list', async () => {
    house().models.script(() => 'hang');
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Cancel me?');
    await page.keyboard.press('Enter');
    await page.getByText('Working on the question').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.notice.off', { hasText: 'The run was cancelled.' }).waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const row = page.getByRole('row', { name: /Cancel me\?/ });
    await row.locator('.pill.is-cancelled', { hasText: 'Cancelled' }).waitFor();
    expect(await row.getAttribute('class')).toBe('is-cancelled');
  });

  test('a run that has failed looks so in its page and in the list, which says why', async () => {
    const body = JSON.stringify({ error: { message: 'The model dislikes it.' } });
    house().models.script(() => ({ status: 400, body }));
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Fail, please?');
    await page.keyboard.press('Enter');
    await page.locator('.notice.bad', { hasText: 'The run has failed.' }).waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const row = page.getByRole('row', { name: /Fail, please\?/ });
    await row.locator('.pill.is-failed', { hasText: 'Failed' }).waitFor();
    expect(await row.getAttribute('class')).toBe('is-failed');
    expect(await row.innerText()).toContain('dislikes');
  });

  test('each step of a run shows how long it took and what it cost, and the costs are those of the run', async () => {
    house().models.script(workOn);
    const { key } = await house().service.newAccount('5');
    const page = await house().open('/ask', { key });
    await page.getByLabel('Question').fill(question);
    await page.keyboard.press('Enter');
    await page.getByText('How it got there').click();
    const steps = page.locator('.timeline > li');
    await steps
      .last()
      .getByText(/\d (ms|s) · €0/)
      .waitFor();
    const told = await steps.locator('.row > .fine').allInnerTexts();
    expect(told).toHaveLength(await steps.count());
    expect(told.every((text) => /^[\d.]+ m?s · €[\d.]+$/.test(text))).toBe(true);
    const euros = told.map((text) => Number(text.split('€')[1]));
    const spent = Number((await page.locator('.run-head .money').innerText()).slice(1));
    expect(euros.reduce((sum, each) => sum + each, 0)).toBeCloseTo(spent, 4);
  });

  test('an answer with several headings has its contents, and a long one a copy button at its end', async () => {
    const part = (name: string) => `## ${name}\n\n${'The depot spent 54,100 EUR on energy. '.repeat(30)}\n\n`;
    house().models.script(() => ({ text: ['Ships', 'Delays', 'Money'].map(part).join('') }));
    const page = await house().open('/ask');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Question').fill('What is new?');
    await page.keyboard.press('Enter');
    const contents = page.getByRole('navigation', { name: 'Contents' }).getByRole('button');
    await contents.first().waitFor();
    expect(await contents.allInnerTexts()).toEqual(['Ships', 'Delays', 'Money']);
    await contents.last().click();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Money');
    expect(await page.evaluate('scrollY')).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'Copy as markdown' }).last().click();
    await page.getByRole('button', { name: 'Copied' }).first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('## Delays');
  });

  test('a short answer has neither contents nor a second copy button', async () => {
    house().models.script(() => ({ text: '# Yes\n\nIt is.' }));
    const page = await house().open('/ask');
    await page.getByLabel('Question').fill('Is it?');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Yes' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Contents' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Copy as markdown' }).count()).toBe(1);
  });

  test('Ask sends the skill and the servers of tools that were chosen, and shows no token in its code', async () => {
    const { key } = await house().service.newAccount('5');
    await fetch(`${house().service.baseUrl}/v1/skills`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'short', instructions: 'Be short.' }),
    });
    const page = await house().open('/ask', { key });
    await page.getByLabel('Question').fill('Do we have kettles?');
    await page.getByText('Agent, model, skill, tools and spending limit').click();
    await page.getByRole('combobox', { name: 'Skill' }).selectOption('short');
    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByLabel('Name').fill('stock');
    await page.getByLabel('Address').fill('https://tools.example.com/mcp');
    await page.getByLabel('Token').fill('a-long-secret');
    await page.getByRole('button', { name: 'Add a server' }).click();
    await page.getByLabel('Name').last().fill('house');
    await page.getByText('The same call in code').click();
    expect(await page.getByRole('region', { name: 'The call as curl' }).innerText()).toContain('YOUR_TOKEN');
    expect(await page.content()).not.toContain('a-long-secret');
    const sent = page.waitForRequest(/\/v1\/agents\/runs$/);
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    expect((await sent).postDataJSON()).toMatchObject({
      skills: 'short',
      mcp: [
        { label: 'stock', url: 'https://tools.example.com/mcp', authorization: 'a-long-secret' },
        'house',
      ],
    });
    await page.getByText('names no server that this account may use').waitFor();
  });

  test('the page of servers of tools has those of the operator, and fills what goes along with the next question', async () => {
    const page = await house().open('/servers');
    const offered = page.getByRole('list', { name: 'Offered servers' }).getByRole('listitem');
    expect(await offered.innerText()).toContain('pieces');
    await offered.getByRole('button', { name: 'Use it' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('stock');
    await page.getByRole('button', { name: 'Ask with them' }).click();
    await page.getByText('With tools of stock').waitFor();
  });

  test('Webhooks are created, tested, sent again, switched off and deleted on their page, which tells a secret once', async () => {
    const { key } = await house().service.newAccount('5');
    const page = await house().open('/webhooks', { key });
    await page.getByText('This key has no webhooks yet.').waitFor();
    await page.getByLabel('Address').fill('https://hooks.example.com/errand');
    await page.getByLabel('The credits run low').check();
    await page.getByRole('button', { name: 'Create' }).click();
    const told = page.getByRole('status').filter({ hasText: 'it is not shown again' });
    expect(await told.locator('code').innerText()).toMatch(/^whsec_/);
    const hook = page.getByRole('listitem').filter({ hasText: 'hooks.example.com' });
    expect(await hook.innerText()).toContain('The credits run low');
    await hook.getByText('Deliveries, and a test').click();
    await hook.getByText('Nothing was sent yet.').waitFor();
    await hook.getByRole('button', { name: 'Send a test' }).click();
    await hook.getByRole('row', { name: /^A test/ }).waitFor();
    await hook.getByRole('button', { name: 'Send again' }).click();
    expect(await hook.getByRole('row', { name: /^A test/ }).count()).toBe(1);
    await hook.getByRole('button', { name: 'Switch off' }).click();
    await hook.getByText('It was switched off.').waitFor();
    const before = await told.locator('code').innerText();
    await hook.getByRole('button', { name: 'New secret' }).click();
    await hook.getByRole('button', { name: 'Really a new secret?' }).click();
    await hook.getByText('The secret before this one signs too').waitFor();
    expect(await told.locator('code').innerText()).not.toBe(before);
    await hook.getByRole('button', { name: 'Delete' }).click();
    await hook.getByRole('button', { name: 'Really delete it?' }).click();
    await page.getByText('This key has no webhooks yet.').waitFor();
    expect(await told.count()).toBe(0);
  });

  test('Webhooks say why an address is refused', async () => {
    const page = await house().open('/webhooks');
    await page.getByLabel('Address').fill('http://127.0.0.1:1/');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').filter({ hasText: 'Request id' }).waitFor();
    expect(await page.getByLabel('Address').inputValue()).toBe('http://127.0.0.1:1/');
  });
});
