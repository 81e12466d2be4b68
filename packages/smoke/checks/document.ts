import type { Check } from '../check.ts';
import { must } from '../outcome.ts';
import { ownMark, runCredits, runModel, takeRun } from '../runs.ts';
import type { Scene } from '../scene.ts';
import { excerpt } from '../show.ts';

/** A PDF of one page with one line. */
const soundPdf = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>
endobj
4 0 obj
<< /Length 48 >>
stream
BT /F1 12 Tf 20 50 Td (A page of the check.) Tj ET
endstream
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
trailer
<< /Root 1 0 R >>
%%EOF
`;

/** A file that begins like a PDF, and holds no document. */
const brokenPdf = '%PDF-1.4\nnothing of a document\n';

async function sendPdf(scene: Scene, pdf: string): Promise<{ status: number; text: string }> {
  const { id: model } = await runModel(scene);
  const form = new FormData();
  form.set('question', 'Answer with one word.');
  form.set('model', model);
  form.set('maxCredits', runCredits);
  form.set('tools', '[]');
  form.set('metadata', JSON.stringify(ownMark(scene)));
  form.set('file', new File([pdf], 'smoke.pdf', { type: 'application/pdf' }));
  const { headers, body } = await encode(form);
  const answer = await scene.ask('/v1/agents/runs', { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

async function encode(form: FormData): Promise<{ headers: Record<string, string>; body: Buffer }> {
  const encoded = new Response(form);
  return {
    headers: { 'Content-Type': encoded.headers.get('content-type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}

/** The text of a document is not visible from outside. That a broken one is refused shows that documents are read before the run is created. */
export const document: Check = {
  name: 'a document is read',
  async run(scene) {
    const sound = await sendPdf(scene, soundPdf);
    const agentId = takeRun(scene, sound.status, sound.text);
    const cancelled = await scene.ask(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
    must(cancelled.status === 202, `POST .../cancel: ${cancelled.status}`);
    const broken = await sendPdf(scene, brokenPdf);
    if (broken.status === 202) takeRun(scene, broken.status, broken.text);
    const right = broken.status === 502 && /damaged or incomplete/.test(broken.text);
    must(right, `POST /v1/agents/runs with a broken PDF: ${broken.status} ${excerpt(broken.text)}`);
    return `a PDF: 202; a broken one: 502, ${excerpt(broken.text)}`;
  },
};
