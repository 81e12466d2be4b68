import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { ChatChunk, ChatRequest } from '../../chat/chat.ts';
import type { Errand } from '../../create-errand.ts';
import { InterruptedError } from '../exit-codes.ts';
import { pickModel } from '../session/pick-model.ts';
import type { Session } from '../session/session.ts';
import { asToldFailure } from '../shown/failure-words.ts';
import { paint } from '../shown/paint.ts';
import { count } from '../shown/words.ts';

interface Options {
  model?: string;
  system?: string;
  skill?: string;
}

type Message = ChatRequest['messages'][number];

interface Answer {
  content: string;
  usage?: ChatChunk['usage'];
  impact?: ChatChunk['impact'];
}

/** The answer to the conversation, written as it comes. */
async function answer(session: Session, chunks: AsyncIterable<ChatChunk>): Promise<Answer> {
  const said: Answer = { content: '' };
  for await (const { choices, usage, impact } of chunks) {
    const piece = choices[0]?.delta.content ?? '';
    said.content = said.content + piece;
    if (!session.json) session.terminal.write(piece);
    if (usage) said.usage = usage;
    if (impact) said.impact = impact;
  }
  return said;
}

function showEnd({ json, line, terminal }: Session, said: Answer): void {
  if (json) {
    line({ role: 'assistant', ...said });
    return;
  }
  const { usage, impact } = said;
  const energy = impact && `${(impact.energy.total / 3_600_000).toPrecision(2)} Wh`;
  const tokens = usage?.total_tokens !== undefined && `${count(usage.total_tokens)} tokens`;
  terminal.write('\n');
  terminal.note(paint.dim([tokens, energy].filter(Boolean).join(' · ')), '\n');
}

/** One turn: Ctrl-C stops it and keeps what was said before it. */
async function turn(session: Session, errand: Errand, request: ChatRequest): Promise<Message | undefined> {
  const stop = new AbortController();
  session.interruption.listen(() => stop.abort(new InterruptedError('Stopped.')));
  try {
    const said = await answer(session, errand.chat.stream(request, { signal: stop.signal }));
    showEnd(session, said);
    return { role: 'assistant', content: said.content };
  } catch (error) {
    // A person goes on after a failure; a script must learn of it.
    if (!session.terminal.isTypedInto) throw error;
    session.terminal.note('\n', paint.red((asToldFailure(error) as Error).message), '\n');
    return undefined;
  }
}

async function chat(session: Session, { model, system, skill }: Options): Promise<void> {
  const errand = await session.connect();
  const chosen = model ?? (await pickModel(session, errand, ['chat', 'vision']));
  const { terminal, interruption } = session;
  const beginning: Message[] = system ? [{ role: 'system', content: system }] : [];
  let messages = beginning;
  if (terminal.isTypedInto) terminal.note(paint.dim(`${chosen}. /new begins anew, Ctrl-D ends.`), '\n');
  const reader = createInterface({
    input: terminal.stdin,
    ...(terminal.isTypedInto && { output: process.stderr, prompt: '> ' }),
  });
  let interrupted = false;
  const leave = () => {
    interrupted = true;
    reader.close();
  };
  const prompt = () => {
    interruption.listen(leave);
    if (terminal.isTypedInto) reader.prompt();
  };
  reader.on('SIGINT', () => process.emit('SIGINT'));
  prompt();
  for await (const line of reader) {
    const content = line.trim();
    if (content === '/new') messages = beginning;
    else if (content) {
      const asked: Message[] = [...messages, { role: 'user', content }];
      const said = await turn(session, errand, {
        model: chosen,
        messages: asked,
        skills: skill || undefined,
      });
      if (said) messages = [...asked, said];
    }
    prompt();
  }
  if (interrupted) throw new InterruptedError('Interrupted.');
}

export function defineChat(program: Command, session: Session): void {
  program
    .command('chat')
    .description('talk with a model; piped in, each line is a message')
    .option('--model <id>', 'a chat model; the first of the service if absent')
    .option('--system <text>', 'what the model is told before all messages')
    .option('--skill <name>', 'the skill whose instructions it follows')
    .addHelpText('after', '\nWith --json: JSON lines, {role, content, usage, impact} for each answer.')
    .action((options: Options) => chat(session, options));
}
