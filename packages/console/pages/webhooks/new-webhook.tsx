import { useSignal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';
import { eventWords, type WebhookEvent, webhooks } from './webhooks-state.ts';

const events = Object.keys(eventWords) as WebhookEvent[];
const ends = events.filter((event) => event.startsWith('run.'));

export function NewWebhook() {
  const { create, changing } = webhooks();
  const url = useSignal('');
  const description = useSignal('');
  const chosen = useSignal<readonly WebhookEvent[]>(ends);
  const send = async () => {
    await create({ url: url.value.trim(), description: description.value.trim(), events: [...chosen.value] });
    if (changing.error.peek() === undefined) url.value = description.value = '';
  };
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <h2>New webhook</h2>
      <div class="columns">
        <Field name="Address" hint="A public https address of your program">
          <input
            type="url"
            required
            placeholder="https://example.com/errand"
            value={url}
            onInput={({ currentTarget }) => {
              url.value = currentTarget.value;
            }}
          />
        </Field>
        <Field name="What it is for">
          <input
            value={description}
            onInput={({ currentTarget }) => {
              description.value = currentTarget.value;
            }}
          />
        </Field>
      </div>
      <fieldset class="tools">
        <legend>Send an event when</legend>
        {events.map((event) => (
          <label key={event} class="check">
            <input
              type="checkbox"
              checked={chosen.value.includes(event)}
              onChange={({ currentTarget }) => {
                chosen.value = events.filter((each) =>
                  each === event ? currentTarget.checked : chosen.value.includes(each),
                );
              }}
            />
            <span>{eventWords[event]}</span>
          </label>
        ))}
      </fieldset>
      <div class="row">
        <button type="submit" class="strong" disabled={changing.busy.value || chosen.value.length === 0}>
          Create
        </button>
      </div>
    </form>
  );
}
