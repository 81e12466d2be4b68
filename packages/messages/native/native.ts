import type { Native } from '@errand/chat';
import { begunBlocks, fromMessage, hiddenTokensOf, parseAnswer, writtenIn } from '@errand/models';
import type { Asked } from '../wire.ts';
import { nativeBody } from './body.ts';
import { nativeInput } from './input.ts';
import { nativeStream } from './native-stream.ts';

/** How upstreams that speak the protocol themselves are asked. */
export const nativeAnswering = (asked: Asked): Native => ({
  api: 'messages',
  path: '/messages',
  headers: {
    'anthropic-version': asked.version,
    ...(asked.betas !== undefined && { 'anthropic-beta': asked.betas }),
  },
  input: (_, upstreams) => nativeInput(asked, upstreams),
  body: (request, upstream, outputTokens) => nativeBody(asked, request, { upstream, outputTokens }),
  stream: () => nativeStream(asked),
  read(bytes) {
    const message = parseAnswer(bytes);
    const parsed = fromMessage(message);
    return (
      parsed && {
        parsed,
        addWritten(written) {
          for (const block of begunBlocks({ message }))
            written.add({ choices: [{ index: 0, delta: writtenIn(block) }] });
        },
        hiddenTokens: hiddenTokensOf(message),
      }
    );
  },
});
