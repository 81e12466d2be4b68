import { statusNames } from '../../run/status-pill.tsx';
import { hrefOf } from '../../shell/route.ts';
import { formatTime } from '../../words/time.ts';
import type { Outcome, ShownState } from './schedule-draft.ts';

const words: Record<Outcome['status'], string> = {
  ...statusNames,
  deleted: 'Deleted',
  skipped: 'Left out',
  refused: 'Refused',
  not_started: 'Not started',
};

const looks: Partial<Record<Outcome['status'], string>> = {
  refused: 'is-failed',
  not_started: 'is-failed',
  skipped: 'is-waiting',
};

export const OutcomePill = ({ status }: Pick<Outcome, 'status'>) => (
  <span class={`pill ${looks[status] ?? `is-${status}`}`}>{words[status] ?? status}</span>
);

const stopWords = {
  key_revoked: 'its key was revoked',
  key_expired: 'its key has expired',
  until: 'its last time has passed',
  no_instant: 'there is no further time',
} as const;

/** When it is due next, or why it is not. */
export function Next({ stopped, paused, nextAt }: ShownState) {
  if (!stopped) return paused ? 'Paused' : nextAt ? `Next ${formatTime(nextAt)}` : 'Not due';
  return (
    <span class="bad-text">
      Stopped since {formatTime(stopped.at)}: {stopWords[stopped.reason] ?? stopped.reason}
    </span>
  );
}

/** What became of the last times, with links to their runs. */
export function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  if (outcomes.length === 0) return <p class="fine">It was not due yet.</p>;
  return (
    <table class="list stacks">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Outcome</th>
          <th scope="col">Probability</th>
        </tr>
      </thead>
      <tbody>
        {outcomes.map((outcome) => (
          <tr key={`${outcome.at} ${outcome.agentId}`}>
            <td class="main-cell">
              {outcome.agentId && outcome.status !== 'deleted' ? (
                <a href={hrefOf('runs', outcome.agentId)}>{formatTime(outcome.at)}</a>
              ) : (
                formatTime(outcome.at)
              )}
              {remarks(outcome).map((remark) => (
                <small key={remark} class="fine">
                  {remark}
                </small>
              ))}
            </td>
            <td>
              <OutcomePill status={outcome.status} />
            </td>
            <td class="fine">
              {outcome.probability !== undefined && `${Math.round(outcome.probability * 100)} %`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const remarks = ({ manual, missed, reason }: Outcome): string[] =>
  [
    manual && 'asked for at once',
    missed && `makes up for ${missed} ${missed === 1 ? 'time' : 'times'} that were missed`,
    reason,
  ].filter((remark) => typeof remark === 'string');
