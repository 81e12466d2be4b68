import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { UsageError } from '../exit-codes.ts';
import { saveLogin } from '../session/config-file.ts';
import { createClient, requireAddress, type Session } from '../session/session.ts';
import { euros } from '../shown/words.ts';

/** Asks for the key without showing what is typed. */
async function askForKey({ terminal, interruption }: Session): Promise<string> {
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: terminal.stdin, output, terminal: true });
  // The reader takes Ctrl-C from the terminal, which then makes no signal of it.
  reader.on('SIGINT', () => process.emit('SIGINT'));
  // Now the terminal shows nothing of what is typed.
  terminal.note('API key: ');
  try {
    return await reader.question('', { signal: interruption.signal });
  } finally {
    reader.close();
    terminal.note('\n');
  }
}

async function readKey(session: Session, option: string | undefined): Promise<string> {
  const given = option ?? session.env.ERRAND_API_KEY;
  session.keySource = option === undefined ? 'variable' : 'option';
  if (given && given !== '-') return given;
  session.keySource = 'typed';
  const key = session.terminal.isTypedInto ? await askForKey(session) : await text(session.terminal.stdin);
  if (key.trim()) return key.trim();
  throw new UsageError('A key is missing: type it, or pipe it in.');
}

interface Options {
  url?: string;
  key?: string;
}

async function login(session: Session, { url, key }: Options): Promise<void> {
  const given = url ?? session.env.ERRAND_BASE_URL;
  if (!given) throw new UsageError('An address is missing: --url URL');
  const baseUrl = requireAddress(given, url === undefined ? 'ERRAND_BASE_URL' : '--url');
  const apiKey = await readKey(session, key);
  session.terminal.hide(apiKey);
  const { data } = await createClient({ baseUrl, apiKey }, session.env).api.GET('/v1/credits', {
    params: { query: { limit: 1 } },
    signal: session.interruption.signal,
  });
  const file = await saveLogin(session.env, { baseUrl, apiKey });
  session.show({ baseUrl, file, balance: data.balance }, () => [
    `Logged in at ${baseUrl}, with ${euros(data.balance)}.`,
    `The key is in ${file}, which only you can read.`,
  ]);
}

export function defineLogin(program: Command, session: Session): void {
  program
    .command('login')
    .description('check a key, and save it with the address of its service')
    .option('--url <url>', 'address of the service (or ERRAND_BASE_URL)')
    .option('--key <key>', 'API key (or ERRAND_API_KEY). Without it, it is asked for or read from stdin')
    .addHelpText('after', '\nWith --json: one document, {baseUrl, file, balance}.')
    .action((options: Options) => login(session, options));
}
