import type { Sink } from './sink.ts';

const bufferedBytes = 64 * 1024;

/** A web stream, for Lambda and other places without a Node response. `onLeave` hears of a reader that cancels. */
export function createWebSink(onLeave: () => void): Sink & { body: ReadableStream<Uint8Array> } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let drained = () => {};
  let open = true;
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull: () => drained(),
      cancel() {
        open = false;
        onLeave();
      },
    },
    { highWaterMark: bufferedBytes, size: (bytes) => bytes.byteLength },
  );
  return {
    body,
    write(bytes) {
      if (!open || !controller) return true;
      controller.enqueue(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
      return (controller.desiredSize ?? 1) > 0;
    },
    end() {
      if (open) controller?.close();
      open = false;
    },
    onDrain(callback) {
      drained = callback;
    },
  };
}
