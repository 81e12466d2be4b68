const classOf = (back: boolean, number: number): string => `note-${back ? 'text' : 'mark'}-${number}`;

/** The mark of a footnote, and the way back from it: each leads to the first of the other in its text. */
export const NoteLink = ({ number, back = false }: { number: number; back?: boolean }) => (
  <button
    type="button"
    class={`mark ${classOf(back, number)}`}
    aria-label={`${back ? 'Back from footnote' : 'Footnote'} ${number}`}
    onClick={({ currentTarget }) =>
      currentTarget
        .closest('.prose')
        ?.querySelector<HTMLElement>(`.${classOf(!back, number)}`)
        ?.focus()
    }
  >
    {back ? '↩' : number}
  </button>
);
