import { toolNames } from './agents-state.ts';

/** The tools of the service's agent, each allowed or not; undefined while all are. Whoever shows them tells of `agents` that cannot be read. */
export function ToolFields({
  chosen,
  set,
}: {
  chosen: readonly string[] | undefined;
  set: (names: readonly string[] | undefined) => void;
}) {
  const names = toolNames();
  const allowed = chosen ?? names;
  const toggle = (name: string, on: boolean) => {
    const next = names.filter((each) => (each === name ? on : allowed.includes(each)));
    set(next.length === names.length ? undefined : next);
  };
  return (
    <fieldset class="tools">
      <legend>Tools it may use</legend>
      {names.map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={allowed.includes(name)}
            onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
          />
          <code>{name}</code>
        </label>
      ))}
    </fieldset>
  );
}
