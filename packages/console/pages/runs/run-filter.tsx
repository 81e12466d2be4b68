import type { ListedState } from '@errand/client';
import { useEffect, useRef } from 'preact/hooks';
import { statusNames } from '../../run/status-pill.tsx';
import { runs } from './runs-state.ts';

const searchCharacters = 200; // limits.runSearchCharacters
/** After the last key, so that a word is searched for once. */
const typingMilliseconds = 400;

/** The service lists cancelled runs with the failed ones, and alone. */
const stateNames: Record<ListedState, string> = {
  ...statusNames,
  failed: 'Failed or cancelled',
  cancelled: 'Cancelled',
};

/** Which runs are listed: by words of what was asked, and by their state. */
export function RunFilter() {
  const { status, search, reload } = runs();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const find = (words: string) => {
    clearTimeout(timer.current);
    if (search.peek() === words.trim()) return;
    search.value = words.trim();
    void reload();
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <search class="row run-filter">
      <input
        type="search"
        aria-label="Words of the question"
        placeholder="Search questions"
        maxLength={searchCharacters}
        defaultValue={search.peek()}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => find(currentTarget.value), typingMilliseconds);
        }}
        onChange={({ currentTarget }) => find(currentTarget.value)}
      />
      <select
        aria-label="Status"
        value={status.value}
        onChange={({ currentTarget }) => {
          status.value = currentTarget.value as ListedState | '';
          void reload();
        }}
      >
        <option value="">All runs</option>
        {Object.entries(stateNames).map(([state, name]) => (
          <option key={state} value={state}>
            {name}
          </option>
        ))}
      </select>
    </search>
  );
}
