import type { Run } from '@errand/client';
import type { ComponentChildren } from 'preact';
import { useNow } from '../parts/use-now.ts';
import { hrefOf } from '../shell/route.ts';
import { formatEuro } from '../words/money.ts';
import { formatCount } from '../words/quantities.ts';
import { formatAge, formatDuration } from '../words/time.ts';
import type { FollowedRun } from './followed-run.ts';
import { StatusPill } from './status-pill.tsx';

/** State, money and time of a run, with what can be done about it. */
export function RunHead({ followed, children }: { followed: FollowedRun; children?: ComponentChildren }) {
  const run = followed.run.value;
  const over = followed.ended.value;
  const now = useNow(over ? 30_000 : 1000);
  const pause = followed.pause.value;
  return (
    <header class="run-head">
      <div class="row">
        {run && <StatusPill run={run} />}
        {run && <Figures run={run} over={over} now={now} />}
        {pause && (
          <span class="pill is-waiting" role="status">
            Connection lost. Reconnecting in {formatDuration(pause.milliseconds)} …
          </span>
        )}
      </div>
      <div class="row">
        {run && !over && (
          <button type="button" disabled={followed.cancelling.busy} onClick={followed.cancel}>
            {followed.cancelling.busy.value ? 'Cancelling …' : 'Cancel'}
          </button>
        )}
        {children}
      </div>
    </header>
  );
}

function Figures({ run, over, now }: { run: Run; over: boolean; now: number }) {
  const { usage, createdAt, updatedAt, agent, effort, model } = run;
  const took = (over ? Date.parse(updatedAt) : now) - Date.parse(createdAt);
  return (
    <dl class="figures">
      <div>
        <dt>Spent</dt>
        <dd class="money">{formatEuro(usage.credits)}</dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>{formatDuration(Math.max(0, took))}</dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>
          {formatCount(usage.inputTokens)} in, {formatCount(usage.outputTokens)} out
        </dd>
      </div>
      {agent && (
        <div>
          <dt>Agent</dt>
          <dd>
            <a href={hrefOf('agents', agent.name)}>{agent.name}</a>
            {agent.version !== undefined && `, version ${agent.version}`}
          </dd>
        </div>
      )}
      {effort && (
        <div>
          <dt>Effort</dt>
          <dd>{effort}</dd>
        </div>
      )}
      {model && (
        <div>
          <dt>Model</dt>
          <dd>{model}</dd>
        </div>
      )}
      {over && (
        <div>
          <dt>Started</dt>
          <dd>{formatAge(createdAt, now)}</dd>
        </div>
      )}
    </dl>
  );
}
