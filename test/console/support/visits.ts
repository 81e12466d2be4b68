import type { Page } from 'playwright-core';
import { pagedReport, question, report, shape } from './example.ts';

/** A way through a page to where there is something to see. */
interface Visit {
  name: string;
  /** What stands after the `#`. */
  place: string;
  go(page: Page): Promise<void>;
  /** What a picture has to show, where that is not the page's beginning. */
  look?: string;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function ask(page: Page): Promise<void> {
  await page.getByLabel('Question').fill(question);
  await page.locator('input[type=file]').setInputFiles({
    name: 'depot-q3.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from(report),
  });
  await press(page, 'Ask');
  await page.getByRole('heading', { name: 'Citations' }).waitFor();
}

const proofLabel = 'Have a decision model check the claims';

/** Asks about a PDF with proof, and opens what bears the first claim out. */
export async function openEvidence(page: Page): Promise<void> {
  await page.getByLabel('Question').fill(question);
  const name = 'depot-q3.pdf';
  const file = { name, mimeType: 'application/pdf', buffer: Buffer.from(pagedReport) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Agent, model, skill, tools and spending limit').click();
  await page.getByLabel(proofLabel).check();
  await press(page, 'Ask');
  await page.getByRole('article').getByRole('button', { name: 'Passage of source 1' }).first().click();
  await page.getByRole('dialog').locator('mark').first().waitFor();
}

/** Asks for a result with a shape, and waits for its table. */
export async function askForValue(page: Page, more: () => Promise<void> = async () => {}): Promise<void> {
  await page.getByLabel('Question').fill(question);
  const name = 'depot-q3.pdf';
  const file = { name, mimeType: 'application/pdf', buffer: Buffer.from(pagedReport) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Agent, model, skill, tools and spending limit').click();
  await page.getByLabel('Shape of the result').fill(JSON.stringify(shape, null, 2));
  await more();
  await press(page, 'Ask');
  await page.getByRole('heading', { name: 'Result' }).waitFor();
  await page.getByRole('table').waitFor();
}

async function openValue(page: Page): Promise<void> {
  await askForValue(page, () => page.getByLabel(proofLabel).check());
  await page.getByRole('table').getByRole('button', { name: 'Passage of source 1' }).first().click();
  await page.getByRole('dialog').locator('mark').first().waitFor();
}

async function seeRuns(page: Page): Promise<void> {
  await ask(page);
  await page.getByRole('link', { name: 'Runs' }).click();
  await page.getByRole('link', { name: question }).first().waitFor();
}

async function openRun(page: Page): Promise<void> {
  await seeRuns(page);
  await page.getByRole('link', { name: question }).first().click();
  await page.getByText('How it got there').click();
  await page.getByText('document_parse').click();
}

async function chat(page: Page): Promise<void> {
  await page.getByText('writer · no skill').waitFor();
  await page.getByLabel('Message').fill('What stands out in the report?');
  await page.keyboard.press('Enter');
  await page.getByText('Emissions').waitFor();
}

async function decide(page: Page): Promise<void> {
  const fill = (label: string, text: string) => page.getByLabel(label).last().fill(text);
  const add = async (kind: string, id: string, asked: string) => {
    await press(page, 'Add a question');
    await fill('Short name of the answer', id);
    await fill('What is asked', asked);
    await page.getByLabel('Kind of answer').last().selectOption(kind);
  };
  await fill(
    'Case',
    'The customer writes: my parcel has not come for nine days, and nobody answers. I want my money back.',
  );
  await fill('What is asked', 'Does the customer want money back?');
  await fill('Short name of the answer', 'refund');
  await add('choice', 'team', 'Who has to act?');
  await fill('Name of option 1', 'delivery');
  await fill('Meaning of option 1', 'late and lost parcels');
  await fill('Name of option 2', 'accounting');
  await fill('Meaning of option 2', 'wants money back');
  await add('score', 'mood', 'How does the customer feel?');
  await fill('Meaning of level 0', 'calm');
  await fill('Meaning of level 1', 'nobody answers');
  await press(page, 'Decide');
  await page.getByText('Confidence').last().waitFor();
}

const firstInstructions = 'Write short sentences.\nAvoid jargon.\nSay numbers first.';
const nextInstructions =
  'Write short sentences.\nAvoid jargon and abbreviations.\nSay numbers first.\nEnd with the next step.';

async function writeSkill(page: Page): Promise<void> {
  const fill = (name: string, text: string) => page.getByRole('textbox', { name }).fill(text);
  await fill('Name', `plain-words-${Math.random().toString(36).slice(2, 7)}`);
  await fill('Description', 'Short sentences, no jargon');
  await fill('Instructions', firstInstructions);
  await press(page, 'Create');
  await page.getByRole('heading', { name: 'Versions' }).waitFor();
  await fill('Instructions', nextInstructions);
  await press(page, 'Save');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('From version 1').waitFor();
}

async function listSkills(page: Page): Promise<void> {
  await writeSkill(page);
  await page.getByRole('link', { name: 'All skills' }).click();
  await page.getByRole('heading', { name: 'Your own' }).waitFor();
}

async function writeAgent(page: Page): Promise<void> {
  const fill = (name: RegExp | string, text: string) => page.getByRole('textbox', { name }).fill(text);
  await fill(/^Name/, `researcher-${Math.random().toString(36).slice(2, 7)}`);
  await fill('Description', 'Tells what is new about a topic');
  await fill('Instructions', 'Look for what is new since yesterday.');
  await page.getByLabel('web_crawl').uncheck();
  await press(page, 'Create');
  await page.getByRole('heading', { name: 'Versions' }).waitFor();
  await fill('Instructions', 'Look for what is new since yesterday.\nCite each page.');
  await page.getByLabel('At most, in euros').fill('0.50');
  await press(page, 'Save');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByText('From version 1').waitFor();
}

async function listAgents(page: Page): Promise<void> {
  await writeAgent(page);
  await page.getByRole('link', { name: 'All agents' }).click();
  await page.getByRole('heading', { name: 'Your own' }).waitFor();
}

async function writeSchedule(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill('News of the harbour');
  await page.getByLabel('Question', { exact: true }).fill('What is new in the harbour?');
  await page.getByRole('textbox', { name: /^Times/ }).fill('0 7 * * 1-5');
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Amsterdam');
  await page.getByRole('list', { name: 'The next times' }).getByText('07:00').first().waitFor();
  await press(page, 'Create');
  await page.getByRole('heading', { name: 'Last times' }).waitFor();
  await press(page, 'Run now');
  await page.getByText('asked for at once').waitFor();
}

async function listSchedules(page: Page): Promise<void> {
  await writeSchedule(page);
  await page.getByRole('link', { name: 'All schedules' }).click();
  await page.getByRole('list', { name: 'Schedules' }).locator('.pill').first().waitFor();
}

async function makeWebhook(page: Page): Promise<void> {
  await page.getByLabel('Address').fill('https://hooks.example.com/errand');
  await press(page, 'Create');
  await page.getByText('it is not shown again').waitFor();
  await page.getByText('Deliveries, and a test').first().click();
  await page.getByRole('button', { name: 'Send a test' }).first().click();
  await page
    .getByRole('row', { name: /^A test/ })
    .first()
    .waitFor();
}

async function addServer(page: Page): Promise<void> {
  await press(page, 'Use it');
  await press(page, 'Add a server');
}

const seeText = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

export const visits: readonly Visit[] = [
  { name: 'ask', place: '/ask', go: ask },
  { name: 'evidence', place: '/ask', go: openEvidence, look: question },
  { name: 'value', place: '/ask', go: openValue, look: question },
  { name: 'runs', place: '/ask', go: seeRuns },
  { name: 'run', place: '/ask', go: openRun, look: 'Files' },
  { name: 'chat', place: '/chat', go: chat },
  { name: 'decide', place: '/decide', go: decide, look: 'Add a question' },
  { name: 'skill', place: '/skills/new', go: writeSkill, look: 'Versions' },
  { name: 'skills', place: '/skills/new', go: listSkills },
  { name: 'agent', place: '/agents/new', go: writeAgent, look: 'Versions' },
  { name: 'agents', place: '/agents/new', go: listAgents },
  { name: 'schedule', place: '/schedules/new', go: writeSchedule },
  { name: 'schedules', place: '/schedules/new', go: listSchedules },
  { name: 'usage', place: '/usage', go: seeText('Together') },
  { name: 'models', place: '/models', go: seeText('judge') },
  { name: 'webhooks', place: '/webhooks', go: makeWebhook },
  { name: 'servers', place: '/servers', go: addServer },
];
