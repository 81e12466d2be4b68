import { wav } from '../../support/wav.ts';
import { formOf, png } from '../../uploads/support.ts';
import { type Caller, type EntryView, until } from './caller.ts';
import { makeSkills, operatorSkill } from './fill-skills.ts';
import type { FinishedRun, HeldAccount, Manifest } from './manifest.ts';
import { questions } from './models.ts';

type Admin = <T>(...line: string[]) => Promise<T>;

export interface Filling {
  admin: Admin;
  call(key: string): Caller;
  /** A folder for files that admin commands read. */
  folder: string;
}

type Settled = Omit<Manifest['settled'], 'balanceBeforeKeptCharge' | 'keptCharge' | 'entries'>;
type Covered = Omit<Manifest['covered'], 'metered' | 'entries'>;

export const newKey = (admin: Admin, account: string, label: string) =>
  admin<{ keyId: string; key: string }>('key', 'create', '--account', account, '--label', label);

/** An account with credits that has done a little of everything. */
export async function fillSettled(filling: Filling): Promise<Settled> {
  const { admin, call } = filling;
  const account = ['account', 'create', '--name', 'settled', '--credits', '5'];
  const { accountId } = await admin<{ accountId: string }>(...account);
  await admin('credits', 'add', '--account', accountId, '--amount', '2.50');
  await admin('credits', 'add', '--account', accountId, '--amount', '-0.25');
  const { key } = await newKey(admin, accountId, 'in use');
  const { key: secondKey } = await newKey(admin, accountId, 'second');
  const { key: revokedKey, keyId } = await newKey(admin, accountId, 'lost');
  await admin('key', 'revoke', keyId);
  const caller = call(key);
  const skills = await makeSkills(filling, caller, accountId);
  await chat(caller, 'Hello', { skills: 'greeting' });
  await decide(caller);
  const idempotency = { key: 'order-1', body: { question: questions.finished, metadata: { order: '1' } } };
  const agentId = await caller.start(idempotency.body, { 'Idempotency-Key': idempotency.key });
  const finished = await finish(caller, agentId);
  const runs = {
    finished,
    failed: await finish(caller, await caller.start({ question: questions.failed })),
    awaiting: await finish(caller, await caller.start({ question: questions.awaiting })),
    recording: await finish(caller, await startWithFile(caller, 'recording', 'talk.wav', wav(2))),
    picture: await finish(caller, await startWithFile(caller, 'picture', 'dot.png', png)),
  };
  const upload = await caller.post<Settled['upload']>('/v1/uploads', {
    filename: 'late.png',
    size: png.byteLength,
  });
  return {
    accountId,
    key,
    secondKey,
    revokedKey,
    runs,
    idempotency: { ...idempotency, agentId },
    values: { harbour: 'Den Helder' },
    savedFile: { url: linkIn(finished), content: 'hour,level\n12,high\n' },
    upload,
    skills,
    later: await fillLater(caller),
  };
}

/** What is kept for a key beside runs. Nothing that the fixture does sets the event off. */
async function fillLater(caller: Caller): Promise<NonNullable<Settled['later']>> {
  type Later = NonNullable<Settled['later']>;
  const url = 'https://example.com/errand';
  const { id, events } = await caller.post<Later['webhook']>('/v1/webhooks', {
    url,
    events: ['budget.reached'],
  });
  const asked = { model: 'writer', input: [{ role: 'user', content: 'Hello [response]' }], store: true };
  const { id: response, output } = await caller.post<Later['response']>('/v1/responses', asked);
  return { webhook: { id, url, events }, response: { id: response, output } };
}

/** An account that an organisation's subscription pays for. */
export async function fillCovered(filling: Filling): Promise<Covered> {
  const { admin, call } = filling;
  const organisation = ['organisation', 'create', '--name', 'covering', '--subscription'];
  const { organisationId } = await admin<{ organisationId: string }>(...organisation);
  const account = ['account', 'create', '--name', 'covered', '--organisation', organisationId];
  const { accountId } = await admin<{ accountId: string }>(...account);
  const { key } = await newKey(admin, accountId, 'covered');
  const scope = ['--scope', 'organisation', '--organisation', organisationId];
  const skills = [await operatorSkill(filling, 'house-style', scope, ['Write as our house does.'])];
  await chat(call(key), 'Hello', { skills: 'house-style' });
  await decide(call(key));
  return { accountId, key, organisationId, skills };
}

export async function fillFrozen({ admin }: Filling): Promise<HeldAccount> {
  const { accountId } = await admin<{ accountId: string }>('account', 'create', '--name', 'frozen');
  const { key } = await newKey(admin, accountId, 'frozen');
  await admin('account', 'freeze', accountId);
  return { accountId, key };
}

export const chat = (caller: Caller, content: string, more: object = {}) =>
  caller.post<object>('/v1/chat/completions', {
    model: 'writer',
    messages: [{ role: 'user', content }],
    ...more,
  });

export const decide = (caller: Caller) =>
  caller.post<object>('/v1/systemone', {
    model: 'judge',
    state: 'The ship is late.',
    questions: { late: { type: 'noul' } },
  });

export const startWithFile = (
  caller: Caller,
  label: keyof typeof questions,
  name: string,
  bytes: Uint8Array,
): Promise<string> => caller.start(formOf(['question', questions[label]], ['file', { name, bytes }]));

export async function finish(caller: Caller, agentId: string): Promise<FinishedRun> {
  const events = await caller.follow(agentId);
  return { run: await caller.run(agentId), events };
}

function linkIn({ events }: FinishedRun): string {
  const text = events.map(({ result }) => String(result ?? '')).join('\n');
  const [url] = /http\S+\/v1\/files\/\S+/.exec(text) ?? [];
  if (url === undefined) throw new Error('no link to a saved file');
  return url;
}

/** The credits of an account whose work is over. Its last charges may be written behind their answers. */
export async function settledCredits(caller: Caller): Promise<{ balance: string; entries: EntryView[] }> {
  let before = -1;
  await until('the account is charged for all of its work', async () => {
    const { length } = (await caller.credits()).entries;
    const isSame = length === before;
    before = length;
    return isSame;
  });
  return caller.credits();
}
