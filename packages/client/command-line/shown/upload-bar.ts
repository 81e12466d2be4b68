import type { OnProgress } from '../../uploads/send-body.ts';
import type { Terminal } from '../terminal.ts';
import { bar } from './bars.ts';
import { onOneLine } from './printable.ts';
import { bytes } from './words.ts';

/** A line on stderr that is drawn anew as a file is sent, and goes when it is sent. Nothing where nobody sees it. */
export function createUploadBar({ showsProgress, renote, width }: Terminal, filename: string) {
  // A line that wraps could not be drawn anew.
  const name = onOneLine(filename, Math.max(8, width - 50));
  let drawn = false;
  const draw: OnProgress = ({ sentBytes, totalBytes }) => {
    const share = totalBytes === 0 ? 1 : sentBytes / totalBytes;
    drawn = true;
    renote(`${name} ${bar(share, 24)} ${Math.round(share * 100)} % of ${bytes(totalBytes)}`);
  };
  return {
    ...(showsProgress && { onProgress: draw }),
    clear() {
      if (drawn) renote('');
      drawn = false;
    },
  };
}
