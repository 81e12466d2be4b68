import { createInterface, type Interface } from 'node:readline/promises';
import type { AskedCall, FollowUp } from '../../runs/follow-up.ts';
import type { Run } from '../../runs/run-handle.ts';
import { InterruptedError } from '../exit-codes.ts';
import { callLine } from '../shown/end-run.ts';
import { paint } from '../shown/paint.ts';
import { onOneLine } from '../shown/printable.ts';
import type { Session } from './session.ts';

/** What a person answers to a run that awaits input. */
export interface Reply {
  input: FollowUp;
  /** The file that they name. */
  file?: string;
}

type Ask = (question: string) => Promise<string>;

/** Asks a person what the run asks for. Undefined if there is nobody to ask, or if they have no answer. */
export async function askPerson(session: Session, run: Run): Promise<Reply | undefined> {
  const { terminal, interruption, json } = session;
  if (json || !terminal.canAsk || run.status !== 'awaiting_input') return undefined;
  const stop = new AbortController();
  interruption.listen(() =>
    stop.abort(new InterruptedError(`The run still waits: errand ask --follow ${run.agentId}`)),
  );
  const reader = createInterface({ input: terminal.stdin, output: process.stderr });
  reader.on('SIGINT', () => process.emit('SIGINT'));
  try {
    return await readReply(session, run, asks(reader, stop.signal));
  } catch (error) {
    stop.signal.throwIfAborted();
    if (error !== noMore) throw error;
    return undefined;
  } finally {
    reader.close();
    interruption.listen();
  }
}

const noMore = new Error('Ctrl-D was pressed.');

/** A question of ours and the line that is typed after it. Ctrl-D ends all. */
function asks(reader: Interface, signal: AbortSignal): Ask {
  const closed = new Promise<never>((_, reject) => {
    reader.once('close', () => reject(noMore));
  });
  closed.catch(() => {});
  return async (question) => (await Promise.race([reader.question(question, { signal }), closed])).trim();
}

async function readReply(session: Session, { asked }: Run, ask: Ask): Promise<Reply | undefined> {
  const { calls = [], expected = [] } = asked ?? {};
  const functionResults: NonNullable<FollowUp['functionResults']> = [];
  const approvals: NonNullable<FollowUp['approvals']> = [];
  for (const call of calls) {
    session.terminal.note(paint.bold(callLine(call)), '\n');
    if (call.type === 'approval') approvals.push(await readVerdict(call, ask));
    else functionResults.push({ callId: call.id, result: await ask('Its result: ') });
  }
  const replies = {
    ...(functionResults.length > 0 && { functionResults }),
    ...(approvals.length > 0 && { approvals }),
  };
  // What is approved is called before anything else is said.
  if (approvals.some(({ approve }) => approve)) return { input: replies };
  const { file, ...fields } = await readFields(session, expected, ask);
  if (calls.length === 0 && !file && Object.keys(fields).length === 0) return undefined;
  return { input: { ...replies, ...fields }, ...(file && { file }) };
}

async function readVerdict({ id: callId, digest }: AskedCall, ask: Ask) {
  let said = await ask('May this call be made? [y/n] ');
  while (!/^(y|yes|n|no)$/i.test(said)) said = await ask('Type y or n: ');
  if (/^y/i.test(said)) return { callId, digest, approve: true };
  const reason = await ask('Why not? (may be empty) ');
  return { callId, digest, approve: false, ...(reason && { reason }) };
}

type Expected = NonNullable<Run['asked']>['expected'];
type Field = 'question' | 'documentUrl' | 'audioUrl' | 'file';

const words: Record<Field, string> = {
  question: 'Your answer',
  documentUrl: 'Address of a document',
  audioUrl: 'Address of a recording',
  file: 'File to send',
};

const isField = (name: string): name is Field => Object.hasOwn(words, name);

/** The fields that the run asks for. One that gets no line is left out; who has none of them can answer in words. */
async function readFields({ terminal }: Session, expected: Expected, ask: Ask) {
  const given: Partial<Record<Field, string>> = {};
  const read = async (name: Field) => {
    const line = await ask(`${words[name]}: `);
    if (line) given[name] = line;
  };
  for (const { name, description } of expected) {
    if (!isField(name)) continue;
    terminal.note(`${onOneLine(description, terminal.width)}\n`);
    await read(name);
  }
  if (
    expected.some(({ name }) => isField(name)) &&
    Object.keys(given).length === 0 &&
    !expected.some(({ name }) => name === 'question')
  )
    await read('question');
  return given;
}
