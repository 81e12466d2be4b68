import { writeFile } from 'node:fs/promises';

/** Its age tells AWS whether the process of a container works. It asks no port of a container that serves nobody. */
export const heartbeatFile = '/tmp/errand-heartbeat';

const everyMilliseconds = 20_000;

/** Renews the file from the time on when `isReady` is first true. Returns its end. */
export function startHeartbeat(isReady: () => Promise<boolean>, file: string = heartbeatFile): () => void {
  let ready = false;
  const beat = async () => {
    ready ||= await isReady();
    if (ready) await writeFile(file, '');
  };
  const timer = setInterval(beat, everyMilliseconds);
  void beat();
  return () => clearInterval(timer);
}
