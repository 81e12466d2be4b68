/** In a tab of its own: a key that is kept in memory alone, and what was written, would be gone on the way back. */
export const ReferenceLink = ({ children }: { children: string }) => (
  <a href="/docs" target="_blank" rel="noopener">
    {children}
  </a>
);
