import { Readable } from 'node:stream';

/**
 * Makes an open stream readable again, from its start, as long as it has not given more than `limitBytes`: those are
 * kept. Undefined once they are not enough. The source is the caller's to destroy.
 */
export function replayable(source: Readable, limitBytes: number): () => Readable | undefined {
  const iterator = source.iterator({ destroyOnReturn: false });
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let whole = true;
  let pulling: Promise<Buffer | undefined> | undefined;

  const pullNext = async (): Promise<Buffer | undefined> => {
    const next = await iterator.next();
    pulling = undefined;
    if (next.done) return undefined;
    const part = Buffer.from(next.value);
    keptBytes += part.length;
    whole &&= keptBytes <= limitBytes;
    if (whole) kept.push(part);
    else kept.length = 0;
    return part;
  };

  async function* read(): AsyncGenerator<Buffer> {
    for (let index = 0; ; index++) {
      const part = kept[index];
      if (part) {
        yield part;
        continue;
      }
      // A reader that was given up may still wait for the next part: it is everyone's, so that none is lost.
      pulling ??= pullNext();
      const next = await pulling;
      if (next === undefined) return;
      yield next;
    }
  }

  return () => (whole ? Readable.from(read(), { objectMode: false }) : undefined);
}
