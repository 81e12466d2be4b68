import type { Manner } from './answer.ts';
import { type Closing, readClosing, restOf, withoutWeak } from './closing.ts';
import { type PolicyRequest, readConversation } from './conversation.ts';
import { readInstructions } from './instructions.ts';
import { type Noise, noiseOf, remarks } from './noise.ts';
import { plan } from './plan.ts';
import { fillIn } from './record/fill-in.ts';
import { readForm } from './record/form.ts';
import type { Call, Plan } from './research.ts';
import { noTools, type Tools, toolsOf } from './tools.ts';

/** The next message of the policy: it depends on the request and the seed alone. */
export function act(request: PolicyRequest, seed = '1'): Plan {
  const tools = toolsOf(request);
  const form = readForm(request);
  if (form) return withMistakes(...fillIn(request, form, tools, seed));
  const closing = readClosing(request.messages);
  const talk = readConversation(request.messages.slice(0, closing?.before));
  const noise = noiseOf(seed, talk.question);
  const manner = { instructions: readInstructions(request.messages), noise };
  if (!closing) return withMistakes(plan(talk, tools, manner), request, noise);
  const answerAs = (how: Manner) => {
    const intended = plan(talk, noTools, how);
    return 'answer' in intended ? intended.answer : closing.parts.join('');
  };
  const answer = answerAs(manner);
  const rest = restOf(closing, answer);
  if (rest !== undefined) return { answer: rest };
  return check(closing, { answer, careful: answerAs({ ...manner, isCareful: true }) }, { tools, noise });
}

interface Answers {
  answer: string;
  /** The answer without the slips that the policy finds when it looks again. */
  careful: string;
}

/** What the policy says when it is asked whether its answer stands. */
function check(
  closing: Closing,
  { answer, careful }: Answers,
  { tools, noise }: { tools: Tools; noise: Noise },
): Plan {
  const given = closing.parts.join('');
  const word = closing.word ?? '';
  const kept = withoutWeak(given, word);
  const noticed = noise.happens('noticed') ? careful : given;
  // A claim that is named and cannot be mended goes.
  const mended = kept === given ? (answer === given ? noticed : given) : careful === given ? kept : careful;
  const confirm = tools.named('confirm');
  if (mended !== given)
    return confirm !== undefined && tools.takes(confirm, 'answer')
      ? { calls: [{ name: confirm, args: { answer: mended } }] }
      : { answer: /\bNEW ANSWER:/.test(word) ? `NEW ANSWER: ${mended}` : mended };
  const search = tools.named('search');
  if (search !== undefined && !closing.hasCalled && noise.happens('checkCall'))
    return { calls: [searchAgain(search, tools, given)] };
  if (closing.hasCalled || noise.happens('checkRemark')) return { answer: noise.pick(remarks, 'remark') };
  if (confirm !== undefined) return { calls: [{ name: confirm, args: {} }] };
  return { answer: /\bCONFIRMED\b/.test(word) ? 'CONFIRMED' : given };
}

function searchAgain(name: string, tools: Tools, answer: string): Call {
  const query = answer.replaceAll(/\s*\[\d+\]|<\/?think>/g, '').slice(0, 80);
  return { name, args: tools.takesList(name, 'queries') ? { queries: [query] } : { query } };
}

/** Calls as a careless model writes them: one of a tool that there is not, or with an argument of the wrong kind. */
function withMistakes(next: Plan, { messages }: PolicyRequest, noise: Noise): Plan {
  if ('answer' in next) return next;
  const place = messages.length;
  const note = noise.happens('remark', place) ? ['I will look at this step by step.'] : [];
  const calls = noise.happens('wrongCall', place) ? next.calls.map(spoil) : next.calls;
  return { calls, note: [...note, next.note ?? ''].filter(Boolean).join(' ') };
}

const spoil = ({ name, args }: Call, i: number): Call =>
  i > 0
    ? { name, args }
    : 'url' in args
      ? { name, args: { ...args, url: 7 } }
      : { name: `${name}_tool`, args };
