import { findFreePort, startBoundProcess } from '@errand/local/testing';
import { delay } from '@errand/platform';

export interface Moto {
  url: string;
  close(): Promise<void>;
}

/** The program: on the path, or where `MOTO_SERVER` says. */
export const motoServer = (): string => process.env.MOTO_SERVER ?? 'moto_server';

const attempts = 300;

/** Starts moto on a free port. It serves every AWS service there, from memory. Rejects with what it wrote. */
export async function startMoto(): Promise<Moto> {
  const host = '127.0.0.1';
  const port = await findFreePort(host);
  const moto = startBoundProcess(motoServer(), ['-H', host, '-p', String(port)]);
  const url = `http://${host}:${port}`;
  for (let i = 0; i < attempts && !moto.hasEnded(); i++) {
    const answer = await fetch(`${url}/moto-api/`).catch(() => undefined);
    if (answer?.ok) return { url, close: moto.stop };
    await delay(100);
  }
  await moto.stop();
  throw new Error(`moto did not start: ${await moto.ended}`);
}
