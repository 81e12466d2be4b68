import type { Check } from '../check.ts';
import { listModels } from '../model.ts';
import { Failed, must, Skipped } from '../outcome.ts';
import { recordingForm } from '../recording.ts';
import { mustTakeRuns, ownMark, runCredits, runModel, takeRun } from '../runs.ts';
import type { Scene } from '../scene.ts';
import { excerpt } from '../show.ts';

/** The largest form that Lambda takes, and one that it does not. */
const lambdaBytes = 4_400_000; // limits.edgeOtherBytes
const largeBytes = 20_000_000;

/** Sends a form with a recording. The run that it creates is cancelled at once, before its recording costs much. */
async function sendForm(scene: Scene, bytes: number): Promise<{ status: number; text: string }> {
  const models = await listModels(scene);
  if (!models.some(({ kind }) => kind === 'speech'))
    throw new Skipped('there is no speech model that would take a recording');
  const { id: model } = await runModel(scene);
  const fields = {
    question: 'Answer with one word.',
    model,
    maxCredits: runCredits,
    tools: '[]',
    metadata: JSON.stringify(ownMark(scene)),
  };
  const answer = await scene.ask('/v1/agents/runs', { method: 'POST', ...recordingForm(fields, bytes) });
  const text = await answer.text();
  mustTakeRuns(text);
  if (answer.status !== 202) return { status: answer.status, text };
  const agentId = takeRun(scene, answer.status, text);
  const cancelled = await scene.ask(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
  must(cancelled.status === 202, `POST .../cancel: ${cancelled.status}`);
  return { status: answer.status, text };
}

const form: Check = {
  name: 'a form of 4.4 MB',
  async run(scene) {
    const { status, text } = await sendForm(scene, lambdaBytes);
    must(status === 202, `POST /v1/agents/runs: ${status} ${excerpt(text)}`);
    return '202';
  },
};

const json: Check = {
  name: 'JSON of 4.4 MB',
  async run(scene) {
    const around = JSON.stringify({ name: scene.id, instructions: '' }).length;
    const characters = lambdaBytes - around;
    const answer = await scene.ask('/v1/skills', {
      method: 'POST',
      json: { name: scene.id, instructions: 'x'.repeat(characters) },
    });
    const text = await answer.text();
    const right = answer.status === 400 && text.includes(`"actual":${characters}`);
    must(right, `POST /v1/skills: ${answer.status} ${excerpt(text)}`);
    return `read to its last byte, then refused for its ${characters} characters`;
  },
};

const largeForm: Check = {
  name: 'a form of 20 MB',
  async run(scene) {
    const { status, text } = await sendForm(scene, largeBytes);
    const taken = status === 202;
    const refused = status === 413 && text.includes('POST /v1/uploads');
    if (scene.largeForms === true) must(taken, `POST /v1/agents/runs: ${status} ${excerpt(text)}`);
    if (scene.largeForms === false) must(refused, `POST /v1/agents/runs: ${status} ${excerpt(text)}`);
    if (taken) return '202';
    if (refused) return '413, which names POST /v1/uploads: there is no container';
    throw new Failed(`POST /v1/agents/runs: ${status} ${excerpt(text)}`);
  },
};

export const bodies = [json, form, largeForm];
