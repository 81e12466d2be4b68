import type { Check } from '../check.ts';
import { sendElsewhere } from '../http/elsewhere.ts';
import { must, Skipped } from '../outcome.ts';
import { createRun } from '../runs.ts';
import { excerpt } from '../show.ts';

const bytes = 1_000;

interface Ticket {
  uploadId: string;
  url: string;
  method: string;
  headers: Record<string, string>;
}

export const upload: Check = {
  name: 'a link to upload',
  async run(scene) {
    const answer = await scene.ask('/v1/uploads', {
      method: 'POST',
      json: { filename: 'smoke.txt', size: bytes },
    });
    const text = await answer.text();
    if (text === 'Temporary file storage is not enabled') throw new Skipped('uploads are switched off');
    must(answer.status === 201, `POST /v1/uploads: ${answer.status} ${excerpt(text)}`);
    const { uploadId, url, method, headers } = JSON.parse(text) as Ticket;
    scene.traces.openUploads.add(uploadId);
    requireHarmless(method, headers);
    const put = async (size: number) => {
      const stored = await sendElsewhere(scene.baseUrl, url, {
        method,
        headers,
        body: 'smoke '.repeat(bytes).slice(0, size),
      });
      await stored.text();
      return stored.status;
    };
    const wrong = await put(bytes - 1);
    must(wrong >= 400 && wrong < 500, `${method} of ${bytes - 1} bytes in place of ${bytes}: ${wrong}`);
    const right = await put(bytes);
    must(right === 200, `${method} of ${bytes} bytes: ${right}`);
    const agentId = await createRun(scene, { question: 'Answer with one word.', uploadId, tools: [] });
    scene.traces.openUploads.delete(uploadId);
    const cancelled = await scene.ask(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
    must(cancelled.status === 202, `POST .../cancel: ${cancelled.status}`);
    return `${bytes - 1} bytes: ${wrong}; ${bytes} bytes: ${right}, and a run took them`;
  },
};

const uploadHeaders = ['content-type', 'content-length'];

/** The service decides what the command sends to the storage, which must be an upload and nothing else. */
function requireHarmless(method: string, headers: Record<string, string>): void {
  must(method === 'PUT', `the link to upload is for ${method}`);
  const other = Object.keys(headers).filter((name) => !uploadHeaders.includes(name.toLowerCase()));
  must(other.length === 0, `the link to upload asks for the headers ${other.join(', ')}`);
}
