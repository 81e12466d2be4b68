import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { createAction } from '../session/action.ts';
import { balance } from '../session/balance.ts';
import { connect, signedOutFor, signIn } from '../session/session.ts';
import { Brand } from './navigation.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** Asks for the key, and tries it on a route that changes and costs nothing. */
export function SignIn() {
  const [action] = useState(createAction);
  const key = useSignal('');
  const keep = useSignal(true);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const enter = () =>
    action.run(async () => {
      const { api } = connect(key.value.trim());
      const { data } = await api.GET('/v1/credits', { params: { query: { limit: 1 } } });
      signIn(key.value.trim(), keep.value);
      balance().set(data);
    });
  return (
    <main class="door">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <Brand />
        <h1>Sign in with your key</h1>
        <p class="faint">
          It goes to <strong>{location.host}</strong> alone, and stays in this tab. The operator of the
          service gives you one; a local service prints its own at the start.
        </p>
        <label class="field">
          <span>API key</span>
          <input
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            value={key}
            onInput={({ currentTarget }) => {
              key.value = currentTarget.value;
            }}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={keep}
            onChange={({ currentTarget }) => {
              keep.value = currentTarget.checked;
            }}
          />
          <span>Keep it until the tab is closed</span>
        </label>
        <ErrorNotice error={action.error.value ?? signedOutFor.value} />
        <button type="submit" class="strong" disabled={action.busy}>
          {action.busy.value ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
      <ThemeSwitch />
    </main>
  );
}
