import { parentPort } from 'node:worker_threads';
import type { NumberedAnswer, NumberedTask } from '@errand/platform';
import type { ChatBody } from './chat-messages.ts';
import { countTextTokens } from './count-chat.ts';
import type { CountTask } from './count-text.ts';

parentPort?.on('message', async ({ number, task }: NumberedTask<CountTask>) => {
  const body = JSON.parse(Buffer.from(task.bytes).toString()) as ChatBody;
  const answered: NumberedAnswer<number> = { number, answer: await countTextTokens(body, task.most) };
  parentPort?.postMessage(answered);
});
