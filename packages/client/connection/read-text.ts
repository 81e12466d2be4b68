import { ErrandError } from '../errors.ts';

/** No JSON of a service is as long. An endless one would fill the memory. */
const longestBytes = 64 * 1024 * 1024;

/** The body of an answer as text. Throws an `ErrandError` for one that is too long, and what the platform says of one that breaks off. */
export async function readText({ body, status }: Response): Promise<string> {
  if (!body) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return pieces.join('') + decoder.decode();
    bytes += value.byteLength;
    if (bytes > longestBytes) {
      await reader.cancel().catch(() => undefined);
      throw new ErrandError('The service sent an answer that is too long.', { status });
    }
    pieces.push(decoder.decode(value, { stream: true }));
  }
}
