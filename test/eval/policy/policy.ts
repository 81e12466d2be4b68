import { readClosing, restOf, withoutWeak } from './closing.ts';
import { type PolicyRequest, readConversation } from './conversation.ts';
import { type Plan, plan } from './plan.ts';
import { type Tools, toolsOf } from './tools.ts';

const noTools: Tools = { has: () => false, takes: () => false };

/** The next message of the policy: it depends on the request alone. */
export function act(request: PolicyRequest): Plan {
  const tools = toolsOf(request);
  const closing = readClosing(request.messages);
  if (!closing) return plan(readConversation(request.messages), tools);
  const talk = readConversation(request.messages.slice(0, closing.before));
  const intended = plan(talk, noTools);
  const answer = 'answer' in intended ? intended.answer : closing.parts.join('');
  const rest = restOf(closing, answer, tools);
  if (rest !== undefined) return { answer: rest };
  const mended = withoutWeak(answer, closing.word ?? '');
  if (mended === answer && tools.has('confirm_answer'))
    return { calls: [{ name: 'confirm_answer', args: {} }] };
  if (tools.takes('confirm_answer', 'answer'))
    return { calls: [{ name: 'confirm_answer', args: { answer: mended } }] };
  return { answer: mended };
}
