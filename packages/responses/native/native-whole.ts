import type { ReadWhole, WholeCompletion } from '@errand/chat';
import { isFields } from '@errand/platform';
import { type Finish, type Frame, responseObject } from '../answer/response-object.ts';
import { outputOf } from './native-stream.ts';
import { endingBy, type Fields, finishReasonOf, toChatUsage, toldBy } from './upstream-response.ts';

function parseResponse(bytes: Buffer): Fields | undefined {
  try {
    const response: unknown = JSON.parse(bytes.toString('utf8'));
    return isFields(response) && Array.isArray(response.output) ? response : undefined;
  } catch {
    return undefined;
  }
}

/** What is counted and charged of an upstream's response. Undefined if it has failed, or cannot be read. */
export function readNative(bytes: Buffer): ReadWhole | undefined {
  const response = parseResponse(bytes);
  if (!response || (response.status !== 'completed' && response.status !== 'incomplete')) return undefined;
  const items = (response.output as unknown[]).filter(isFields);
  const content = items.map(textOfItem).join('');
  const reasoning_content = items
    .filter(({ type }) => type === 'reasoning')
    .map((item) => partsText(item.content) + partsText(item.summary))
    .join('');
  const finish_reason = finishReasonOf(response);
  return {
    parsed: {
      choices: [{ index: 0, message: { content, reasoning_content }, finish_reason }],
      usage: toChatUsage(response.usage),
    },
  };
}

const partsText = (parts: unknown): string =>
  (Array.isArray(parts) ? parts : []).map((part) => `${part?.text ?? ''}${part?.refusal ?? ''}`).join('');

function textOfItem({ type, content, name, arguments: args, input }: Fields): string {
  if (type === 'message') return partsText(content);
  return [name, args, input].filter((text) => typeof text === 'string').join('');
}

/** The response of an upstream that was asked for one, as ours. */
export async function nativeWhole(
  frame: Frame,
  { bytes, tokens, impact }: WholeCompletion,
  finish: Finish,
): Promise<Buffer<ArrayBuffer>> {
  const response = parseResponse(bytes) ?? {};
  const costs = { tokens, impact };
  const own = responseObject(frame, {
    output: outputOf(response, frame.key),
    ending: endingBy(response),
    costs,
  });
  return Buffer.from(JSON.stringify(await finish({ ...own, ...toldBy(response) })));
}
