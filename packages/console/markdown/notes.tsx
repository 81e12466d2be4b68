/** Classes by which a footnote and its mark lead to each other within their text. */
export const noteClass = (number: number): string => `note-${number}`;
export const backClass = (number: number): string => `note-mark-${number}`;

/** Goes to the first element of the same text that has the class. */
export const step =
  (name: string) =>
  ({ currentTarget }: { currentTarget: Element }): void =>
    currentTarget.closest('.prose')?.querySelector<HTMLElement>(`.${name}`)?.focus();

export const NoteMark = ({ number }: { number: number }) => (
  <button
    type="button"
    class={`mark ${backClass(number)}`}
    aria-label={`Footnote ${number}`}
    onClick={step(noteClass(number))}
  >
    {number}
  </button>
);
