import type { Citation } from '../markdown/marks.ts';
import { Evidence } from './evidence.tsx';
import type { Opened } from './opened-passage.ts';
import { Sources } from './sources.tsx';

/** The citations beside what cites them, above them the passage that is open. */
export const CitationsAside = ({
  citations,
  claimOf,
  opened,
  open,
  close,
}: {
  citations: readonly Citation[];
  /** What is said with the citation. */
  claimOf: (citation: Citation) => string;
  opened: Opened | undefined;
  open: (citation: Citation, from: string) => void;
  close: () => void;
}) => (
  <aside class="citations" aria-label="Citations">
    {opened && (
      <Evidence
        claim={claimOf(opened.citation)}
        citation={opened.citation}
        marker={opened.from}
        close={close}
      />
    )}
    <Sources claimOf={claimOf} citations={citations} open={open} />
  </aside>
);
