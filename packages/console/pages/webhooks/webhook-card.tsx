import { useSignal } from '@preact/signals';
import { SureButton } from '../../parts/sure-button.tsx';
import { formatTime } from '../../words/time.ts';
import { Deliveries } from './deliveries.tsx';
import { eventWords, type Webhook, webhooks } from './webhooks-state.ts';

const reasons: Record<NonNullable<Webhook['disabledReason']>, string> = {
  owner: 'It was switched off.',
  gone: 'Its address answered that it is gone.',
  failing: 'Its address has failed for three days.',
};

export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { enable, rotate, remove, changing } = webhooks();
  const { url, description, events, enabled, disabledReason, disabledAt, previousSecretUntil } = webhook;
  const open = useSignal(false);
  const busy = changing.busy.value;
  return (
    <li class="card stack">
      <div class="row spread">
        <h2>{url}</h2>
        <span class={enabled ? 'pill is-on' : 'pill is-waiting'}>{enabled ? 'on' : 'off'}</span>
      </div>
      {description && <p>{description}</p>}
      <p class="fine">{events.map((event) => eventWords[event]).join(' · ')}</p>
      {disabledReason && (
        <p class="notice off">
          {reasons[disabledReason]}{' '}
          {disabledAt && `No events have been sent since ${formatTime(disabledAt)}.`}
        </p>
      )}
      {previousSecretUntil && (
        <p class="fine">The secret before this one signs too, until {formatTime(previousSecretUntil)}.</p>
      )}
      <div class="row">
        <button type="button" disabled={busy} onClick={() => void enable(webhook)}>
          {enabled ? 'Switch off' : 'Switch on'}
        </button>
        <SureButton question="Really a new secret?" disabled={busy} onSure={() => void rotate(webhook)}>
          New secret
        </SureButton>
        <SureButton question="Really delete it?" disabled={busy} onSure={() => void remove(webhook)}>
          Delete
        </SureButton>
      </div>
      <details
        class="fold"
        onToggle={({ currentTarget }) => {
          open.value = currentTarget.open;
        }}
      >
        <summary>Deliveries, and a test</summary>
        {open.value && <Deliveries webhook={webhook} />}
      </details>
    </li>
  );
}
