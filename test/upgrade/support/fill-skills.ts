import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Caller } from './caller.ts';
import type { Filling } from './fill.ts';
import type { HeldSkill } from './manifest.ts';

/** Skills of the account itself and of the operator. */
export async function makeSkills(filling: Filling, caller: Caller, account: string): Promise<HeldSkill[]> {
  const greetings = ['Say hello.', 'Say good day.', 'Say good evening.'];
  const greeting = await ownSkill(caller, 'greeting', greetings);
  const off = await ownSkill(caller, 'switched-off', ['Say nothing.']);
  await patchSkill(caller, off.id, { enabled: false });
  const imported = await operatorSkill(
    filling,
    'imported',
    ['--scope', 'user', '--account', account, '--unversioned'],
    ['Say what was said before.'],
  );
  const provided = await operatorSkill(
    filling,
    'provided',
    ['--scope', 'provider'],
    ['Be brief.', 'Be briefer.'],
  );
  return [greeting, { ...off, enabled: false }, imported, provided];
}

interface SkillAnswer {
  id: string;
  scope: string;
  version: number | null;
}

const byVersion = (texts: readonly string[], first = 1) =>
  Object.fromEntries(texts.map((text, i) => [String(first + i), text]));

async function ownSkill(caller: Caller, name: string, texts: readonly string[]): Promise<HeldSkill> {
  const [first, ...later] = texts;
  const { id, scope } = await caller.post<SkillAnswer>('/v1/skills', { name, instructions: first });
  for (const instructions of later) await patchSkill(caller, id, { instructions });
  return { id, name, scope, enabled: true, version: texts.length, instructions: byVersion(texts) };
}

async function patchSkill(caller: Caller, id: string, patch: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await caller.send(`/v1/skills/${id}`, { method: 'PATCH', headers, body: JSON.stringify(patch) });
}

export async function operatorSkill(
  { admin, folder }: Filling,
  name: string,
  owner: readonly string[],
  texts: readonly string[],
): Promise<HeldSkill> {
  const file = path.join(folder, 'instructions.md');
  const [first = '', ...later] = texts;
  await writeFile(file, first);
  const create = ['skill', 'create', ...owner, '--name', name, '--instructions-file', file];
  let skill = await admin<SkillAnswer>(...create);
  for (const text of later) {
    await writeFile(file, text);
    skill = await admin<SkillAnswer>('skill', 'update', skill.id, '--instructions-file', file);
  }
  const { id, scope, version } = skill;
  return {
    id,
    name,
    scope,
    enabled: true,
    version,
    instructions: byVersion(texts, version === null ? 0 : 1),
  };
}
