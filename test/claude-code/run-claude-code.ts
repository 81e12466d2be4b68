import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '../..');

const installed = path.join(
  homedir(),
  `.cache/errand/claude-code/node_modules/@anthropic-ai/claude-code-linux-${process.arch}/claude`,
);

/** Claude Code has 400 MB, too much for every checkout: `CLAUDE_CODE` if it is set, or what docs/clients.md installs. */
export const claudeCodePath: string | undefined = [process.env.CLAUDE_CODE ?? '', installed].find(existsSync);

/** The settings that docs/clients.md shows, for a service at this address. */
async function readSettings(url: string): Promise<string> {
  const page = await readFile(path.join(root, 'docs/clients.md'), 'utf8');
  const shown = /```json\n(.*?)```/s.exec(page)?.[1];
  if (!shown) throw new Error('docs/clients.md shows no settings of Claude Code');
  return shown.replace('http://127.0.0.1:8787', url);
}

interface ClaudeCodeRun {
  code: number | null;
  /** What it says in the end: the model's last words, or an error. */
  answer: string;
  log: string;
}

export interface ClaudeCodeDesk {
  /** The folder that Claude Code works in. */
  folder: string;
  run(task: string, options?: { key?: string; model?: string }): Promise<ClaudeCodeRun>;
  close(): Promise<void>;
}

/** A folder for Claude Code with settings of its own. Nothing but this machine can be asked. */
export async function openClaudeCodeDesk({
  url,
  key,
}: {
  url: string;
  key: string;
}): Promise<ClaudeCodeDesk> {
  const home = await mkdtemp(path.join(tmpdir(), 'claude-code-'));
  const folder = path.join(home, 'work');
  await mkdir(folder);
  await mkdir(path.join(home, '.claude'));
  const settings = await readSettings(url);
  return {
    folder,
    async run(task, { key: other = key, model = 'writer' } = {}) {
      await writeFile(
        path.join(home, '.claude/settings.json'),
        settings.replaceAll('"writer"', `"${model}"`),
      );
      const nowhere = 'http://127.0.0.1:9';
      const child = spawn(claudeCodePath ?? '', ['-p', task, '--permission-mode', 'acceptEdits'], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...{ PATH: process.env.PATH, HOME: home, ANTHROPIC_AUTH_TOKEN: other },
          // It would try again for minutes.
          CLAUDE_CODE_MAX_RETRIES: '0',
          ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '127.0.0.1' },
        },
      });
      const ended = new Promise<number | null>((resolve, reject) => {
        child.on('close', resolve);
        child.on('error', reject);
      });
      const [answer, log, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, answer: answer.trim(), log };
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}
