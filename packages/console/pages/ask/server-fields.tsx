import type { Signal } from '@preact/signals';
import { Field } from '../../parts/field.tsx';
import { mostServers, type ServerDraft } from './servers.ts';

/** Servers of tools that a question may use: some that the operator offers by name, and the visitor's own. */
export function ServerFields({ servers }: { servers: Signal<readonly ServerDraft[]> }) {
  const list = servers.value;
  const set = (at: number, part: Partial<ServerDraft>) => {
    servers.value = list.map((each, i) => (i === at ? { ...each, ...part } : each));
  };
  return (
    <fieldset class="stack">
      <legend>Servers of tools</legend>
      <p class="fine">
        More tools for this question, from a server of yours or one that your operator offers.
      </p>
      {list.map((server, i) => (
        <fieldset key={i} class="question columns">
          <legend class="unseen">Server {i + 1}</legend>
          <Field name="Name" hint="Of your choice, or as your operator calls it">
            <input
              required
              placeholder="stock"
              value={server.name}
              onInput={({ currentTarget }) => set(i, { name: currentTarget.value })}
            />
          </Field>
          <Field name="Address" hint="Empty for a server of your operator">
            <input
              type="url"
              placeholder="https://tools.example.com/mcp"
              value={server.url}
              onInput={({ currentTarget }) => set(i, { url: currentTarget.value })}
            />
          </Field>
          <Field name="Token" hint="If the server asks for one">
            <input
              type="password"
              autocomplete="off"
              value={server.authorization}
              onInput={({ currentTarget }) => set(i, { authorization: currentTarget.value })}
            />
          </Field>
          <button
            type="button"
            class="quiet"
            onClick={() => {
              servers.value = list.filter((_, at) => at !== i);
            }}
          >
            Remove<span class="unseen"> server {i + 1}</span>
          </button>
        </fieldset>
      ))}
      {list.length < mostServers && (
        <div class="row">
          <button
            type="button"
            onClick={() => {
              servers.value = [...list, { name: '', url: '', authorization: '' }];
            }}
          >
            Add a server
          </button>
        </div>
      )}
    </fieldset>
  );
}
