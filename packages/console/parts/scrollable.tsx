import type { ComponentChildren } from 'preact';

/** What may be larger than its frame. The keyboard reaches it, and can scroll it then. */
export const Scrollable = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
  <section class="scrollable" tabIndex={0} aria-label={label}>
    {children}
  </section>
);

export const ScrollableText = ({ label, children }: { label: string; children: string }) => (
  <Scrollable label={label}>
    <pre>{children}</pre>
  </Scrollable>
);
