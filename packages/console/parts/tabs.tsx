import { useId } from 'preact/hooks';

/** One of a few views, as a group of radio buttons: arrow keys move between them. */
export function Tabs<Name extends string>({
  label,
  names,
  chosen,
  choose,
}: {
  label: string;
  names: Readonly<Record<Name, string>>;
  chosen: Name;
  choose: (name: Name) => void;
}) {
  const group = useId();
  return (
    <fieldset class="switch">
      <legend class="unseen">{label}</legend>
      {(Object.entries(names) as [Name, string][]).map(([name, text]) => (
        <label key={name}>
          <input
            type="radio"
            name={group}
            class="unseen"
            checked={chosen === name}
            onChange={() => choose(name)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
