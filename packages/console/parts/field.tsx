import type { ComponentChildren } from 'preact';

/** A control with its name above it, and a hint below. */
export const Field = ({
  name,
  hint,
  children,
}: {
  name: string;
  hint?: ComponentChildren;
  children: ComponentChildren;
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is what the label is given
  <label class="field">
    <span>{name}</span>
    {children}
    {hint && <small>{hint}</small>}
  </label>
);
