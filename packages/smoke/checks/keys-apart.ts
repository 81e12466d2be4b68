import type { Check } from '../check.ts';
import { must, Skipped } from '../outcome.ts';
import type { Run } from '../runs.ts';
import { savingRun } from '../saving-run.ts';

const rounds = 10;

/** Two callers who ask for one path at one moment must not be given one answer. */
export const keysApart: Check = {
  name: 'two keys on one path at once',
  async run(scene) {
    const { secondKey } = scene;
    if (secondKey === undefined)
      throw new Skipped('needs a second key: ERRAND_SECOND_API_KEY, --stage, or a local service');
    const { agentId } = await savingRun(scene);
    const answers = await Promise.all(
      Array.from({ length: 2 * rounds }, async (_, i) => {
        const isOwner = i % 2 === 0;
        const answer = await scene.ask(`/v1/agents/runs/${agentId}`, {
          key: isOwner ? scene.key : secondKey,
        });
        const run = await answer.json<Run>();
        return { isOwner, status: answer.status, agentId: run?.agentId };
      }),
    );
    const refused = answers.some(({ isOwner, status }) => !isOwner && status === 401);
    must(
      !refused,
      `the second key is refused by ${scene.baseUrl}: is it ERRAND_SECOND_API_KEY of this service?`,
    );
    const wrong = answers.find(({ isOwner, status, agentId: shown }) =>
      isOwner ? status !== 200 || shown !== agentId : status !== 404,
    );
    must(
      wrong === undefined,
      `GET a run of the first key with the ${wrong?.isOwner ? 'first' : 'second'} one: ${wrong?.status}`,
    );
    return `a run: ${rounds} x 200 for its own key, ${rounds} x 404 for the other`;
  },
};
