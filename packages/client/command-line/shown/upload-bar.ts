import type { OnProgress } from '../../uploads/send-body.ts';
import type { Terminal } from '../terminal.ts';
import { bar } from './bars.ts';
import { bytes } from './words.ts';

/** A line on stderr that is drawn anew as a file is sent, and goes when it is sent. Nothing where nobody sees it. */
export function createUploadBar({ showsProgress, note }: Terminal, filename: string) {
  let drawn = false;
  const draw: OnProgress = ({ sentBytes, totalBytes }) => {
    const share = totalBytes === 0 ? 1 : sentBytes / totalBytes;
    drawn = true;
    note(`\r\u001b[K${filename} ${bar(share, 24)} ${Math.round(share * 100)} % of ${bytes(totalBytes)}`);
  };
  return {
    ...(showsProgress && { onProgress: draw }),
    clear() {
      if (drawn) note('\r\u001b[K');
      drawn = false;
    },
  };
}
