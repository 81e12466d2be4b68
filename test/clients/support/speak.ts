import { chunk, done, event, plainAnswer, streams, usageChunk } from '../../chat/support/chunks.ts';
import { answersFor } from '../../decisions/support/upstream.ts';
import type { UpstreamScript } from '../../support/scripted-upstream.ts';

/** Sends a stream or one answer, as the request asks. The message's deltas come in chunks of their own. */
const answers =
  (deltas: object[], message: object, finish: string): UpstreamScript =>
  (wire, request) => {
    if (request.body.stream !== true) {
      const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: finish };
      return wire.json(200, { ...plainAnswer, choices: [choice] });
    }
    const chunks = [...deltas.map((delta) => chunk(delta)), chunk({}, finish), usageChunk];
    return streams(...chunks.map(event), done)(wire, request);
  };

/** Says a text, in two pieces if it is streamed. */
export function says(text: string, finish = 'stop'): UpstreamScript {
  const half = Math.floor(text.length / 2);
  const pieces = [text.slice(0, half), text.slice(half)].map((content) => ({ content }));
  return answers([{ role: 'assistant', content: '' }, ...pieces], { content: text }, finish);
}

/** Calls a tool, with arguments in two pieces if they are streamed. */
export function calls(name: string, input: object): UpstreamScript {
  const written = JSON.stringify(input);
  const called = { id: `call_${name}`, type: 'function', function: { name, arguments: written } };
  const half = Math.floor(written.length / 2);
  const pieces = [written.slice(0, half), written.slice(half)].map((part) => ({
    tool_calls: [{ index: 0, function: { arguments: part } }],
  }));
  const first = { role: 'assistant', content: null };
  const opened = { index: 0, ...called, function: { name, arguments: '' } };
  return answers(
    [{ ...first, tool_calls: [opened] }, ...pieces],
    { content: null, tool_calls: [called] },
    'tool_calls',
  );
}

/** Answers every question of a decision: 0.75 for a statement, 0.5 for the first option or level. */
export const decides: UpstreamScript = (wire, { text }) => wire.json(200, answersFor(text));

export const isDown: UpstreamScript = (wire) => wire.json(503, { error: { message: 'overloaded' } });
