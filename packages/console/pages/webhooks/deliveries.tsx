import { useEffect, useMemo } from 'preact/hooks';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { createAction } from '../../session/action.ts';
import { pages } from '../../session/pages.ts';
import { errand } from '../../session/session.ts';
import { formatTime } from '../../words/time.ts';
import { type Delivery, eventWords, type Webhook } from './webhooks-state.ts';

const typeWords: Record<Delivery['type'], string> = { ...eventWords, 'webhook.test': 'A test' };

const states: Record<Delivery['status'] | 'failing', { words: string; look: string }> = {
  pending: { words: 'On its way', look: 'is-waiting' },
  failing: { words: 'Failed, will be tried again', look: 'is-waiting' },
  succeeded: { words: 'Arrived', look: 'is-succeeded' },
  failed: { words: 'Given up', look: 'is-failed' },
};

const stateOf = ({ status, response, error }: Delivery): keyof typeof states =>
  status === 'pending' && (response ?? error) !== undefined ? 'failing' : status;

/** When what was sent is looked for, until it has an outcome. */
const looksAfterMilliseconds = [1000, 3000, 10_000];

function createDeliveries(id: string) {
  const sending = createAction();
  const list = pages<Delivery>(async (cursor) => {
    const params = { path: { id }, query: cursor };
    const { data } = await errand().api.GET('/v1/webhooks/{id}/deliveries', { params });
    return { entries: data.deliveries, cursor: data.cursor };
  });
  const send = (work: (api: ReturnType<typeof errand>['api']) => Promise<unknown>) =>
    void sending.run(async () => {
      await work(errand().api);
      await list.reload();
      leave();
      timers = looksAfterMilliseconds.map((pause) => setTimeout(look, pause));
    });
  let timers: ReturnType<typeof setTimeout>[] = [];
  const leave = () => timers.forEach(clearTimeout);
  const look = () => {
    if (list.list.peek()?.some((delivery) => stateOf(delivery) === 'pending')) void list.reload();
  };
  return {
    ...{ list, sending, leave },
    test: () => send((api) => api.POST('/v1/webhooks/{id}/test', { params: { path: { id } } })),
    again: (delivery: string) =>
      send((api) =>
        api.POST('/v1/webhooks/{id}/deliveries/{delivery}/redeliver', { params: { path: { id, delivery } } }),
      ),
  };
}

/** What was sent to a webhook, and what its receiver has answered. */
export function Deliveries({ webhook: { id } }: { webhook: Webhook }) {
  const { list, sending, leave, test, again } = useMemo(() => createDeliveries(id), [id]);
  useEffect(() => {
    void list.reload();
    return leave;
  }, [list, leave]);
  const deliveries = list.list.value;
  return (
    <div class="stack">
      <div class="row">
        <button type="button" disabled={sending.busy.value} onClick={test}>
          Send a test
        </button>
        <button type="button" disabled={list.reading.busy.value} onClick={() => void list.reload()}>
          Refresh
        </button>
      </div>
      <ErrorNotice error={sending.error.value ?? list.reading.error.value} />
      {deliveries?.length === 0 && <p class="fine">Nothing was sent yet.</p>}
      {deliveries && deliveries.length > 0 && (
        <table class="list stacks deliveries">
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">State</th>
              <th scope="col">Answer</th>
              <th scope="col">Sent</th>
              <th scope="col">
                <span class="unseen">Again</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} again={() => again(delivery.id)} />
            ))}
          </tbody>
        </table>
      )}
      {list.hasMore.value && (
        <button type="button" onClick={() => void list.more()}>
          Show more
        </button>
      )}
    </div>
  );
}

function DeliveryRow({ delivery, again }: { delivery: Delivery; again: () => void }) {
  const { type, attempts, createdAt, lastAttemptAt, nextAttemptAt, response, error } = delivery;
  const { words, look } = states[stateOf(delivery)];
  return (
    <tr>
      <td>{typeWords[type] ?? type}</td>
      <td>
        <span class={`pill ${look}`}>{words}</span>
      </td>
      <td class="delivery-answer">
        {response ? `${response.status} ${response.body}` : (error ?? 'None yet')}
        {nextAttemptAt && <small>Next try {formatTime(nextAttemptAt)}</small>}
      </td>
      <td class="fine">
        {formatTime(lastAttemptAt ?? createdAt)}
        {attempts > 1 && `, ${attempts} times`}
      </td>
      <td>
        <button type="button" class="quiet" onClick={again}>
          Send again
        </button>
      </td>
    </tr>
  );
}
