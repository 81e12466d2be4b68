import { describeWait } from '../../runs/describe-run.ts';
import type { Reconnect, RunEvent, RunWait } from '../../runs/follow-run.ts';
import type { RunHandle } from '../../runs/run-handle.ts';
import { stepWords } from '../../runs/step-words.ts';
import type { Session } from '../session/session.ts';
import { paint } from './paint.ts';
import { onOneLine, printable } from './printable.ts';

interface ShownRun {
  /** False where what the run writes is shown in another form when it has ended. */
  withTexts: boolean;
}

/** What happens in a run on stderr, and its texts on stdout as they come, each once. */
function createRunView({ terminal }: Pick<Session, 'terminal'>, { withTexts }: ShownRun) {
  const { write, note, isInteractive, width } = terminal;
  let shown = '';
  const showText = (text: string) => {
    const trimmed = printable(text).trim();
    if (trimmed === shown) return;
    shown = trimmed;
    write(`${shown}\n`);
  };
  return (event: RunEvent): void => {
    if (event.type === 'step_start')
      note(paint.bold(`Step ${event.step}`), ` ${onOneLine(stepWords(event.description), width - 10)}\n`);
    if (event.type === 'tool_call')
      note('  ', paint.cyan(event.toolName), ` ${onOneLine(event.input, width - 20)}\n`);
    if (event.type === 'tool_result') note('  ', paint.dim(`→ ${onOneLine(event.result, width - 6)}`), '\n');
    if (event.type === 'sub_run')
      note('  ', paint.cyan(`sub-run ${event.status}`), ` ${onOneLine(event.question, width - 25)}\n`);
    if (!withTexts) return;
    // Only the answer is piped on, and it is known at the end.
    if (event.type === 'text' && isInteractive) showText(event.text);
    if (event.type === 'done') showText(event.finalText);
  };
}

/** Says why a request is retried, and when. */
export const notePause = (
  { terminal }: Pick<Session, 'terminal'>,
  { error, pauseMilliseconds }: Pick<Reconnect, 'error' | 'pauseMilliseconds'>,
): void =>
  terminal.note(
    `${error?.message ?? 'The stream ended.'} Asking again in ${Math.ceil(pauseMilliseconds / 1000)} s.\n`,
  );

/** Says once of each wait, and of each of its pauses, what the run waits for; and when a lost connection is back. */
function createFollowNotes(session: Pick<Session, 'terminal'>) {
  const { note } = session.terminal;
  let told: string | undefined;
  let isLost = false;
  return {
    onReconnect(pause: Reconnect): void {
      notePause(session, pause);
      isLost = true;
    },
    onConnect(): void {
      if (!isLost) return;
      note('Connected again.\n');
      isLost = false;
      told = undefined;
    },
    onWait(waiting: RunWait | undefined): void {
      const pause = waiting && `${waiting.for} ${waiting.retryAt}`;
      if (waiting && pause !== told) note(paint.yellow(describeWait(waiting, Date.now())), '\n');
      told = pause;
    },
  };
}

/** Follows a run to its end, as JSON lines or for people. */
export async function followForPeople(
  session: Session,
  run: RunHandle,
  signal: AbortSignal,
  shown: ShownRun = { withTexts: true },
): Promise<void> {
  const show = session.json ? (event: RunEvent) => session.line(event) : createRunView(session, shown);
  for await (const event of run.events({ signal, ...createFollowNotes(session) })) show(event);
}
