import { answerFrom, noteOf, reportFrom } from './answer.ts';
import type { Conversation } from './conversation.ts';
import { withoutFence } from './conversation.ts';
import { asked, gather } from './evidence.ts';
import { longTextFor } from './long-text.ts';
import { obey } from './obedience.ts';
import { type Call, nextReads } from './research.ts';
import { saveAs } from './saving.ts';
import { applySkill, skillFile } from './skill.ts';
import type { Tools } from './tools.ts';

/** What the policy does next: calls, with what it writes down beside them, or its answer. */
export type Plan = { calls: Call[]; note?: string } | { answer: string };

const one = (call: Call): Plan => ({ calls: [call] });

export function plan(talk: Conversation, tools: Tools): Plan {
  const order = obey(talk, tools);
  if (order) return one(order);
  return planValues(talk, tools) ?? planLongText(talk, tools) ?? planResearch(talk, tools);
}

/** Questions about saved values. */
function planValues({ question, calls }: Conversation, tools: Tools): Plan | undefined {
  const [, value, kept] = /^Save the value "([^"]+)" under the name "([^"]+)"/.exec(question) ?? [];
  if (value !== undefined && kept !== undefined) {
    const made = calls.find(({ name }) => name === 'save_data');
    if (made || !tools.has('save_data')) return { answer: made?.result ?? 'It could not be saved.' };
    return one({ name: 'save_data', args: { name: kept, value } });
  }
  const name = /^Read the saved value "([^"]+)"/.exec(question)?.[1];
  if (name === undefined) return undefined;
  const made = calls.find((call) => call.name === 'read_data' && call.args.name === name);
  if (made || !tools.has('read_data'))
    return { answer: `The value is: ${withoutFence(made?.result ?? 'unknown')}` };
  return one({ name: 'read_data', args: { name } });
}

function planLongText(talk: Conversation, tools: Tools): Plan | undefined {
  const wanted = longTextFor(talk.question);
  if (!wanted) return undefined;
  const { text, filename } = wanted;
  return filename === undefined ? { answer: text } : toPlan(saveAs(talk, tools, { filename, content: text }));
}

const toPlan = (next: Call | string): Plan => (typeof next === 'string' ? { answer: next } : one(next));

function planResearch(talk: Conversation, tools: Tools): Plan {
  const isReport = /^Write a report/.test(talk.question);
  const findings = isReport
    ? { steps: [], open: talk.readings.length > 0 ? [] : ['report'], names: asked(talk.question).names }
    : gather(talk.question, talk.readings);
  const calls = nextReads(talk, findings, tools).filter(({ name }) => tools.has(name));
  if (calls.length > 0) return { calls, note: noteOf(talk, findings) };
  const answer = applySkill(talk.skill, isReport ? reportFrom(talk) : answerFrom(talk, findings));
  const filename = skillFile(talk.skill);
  if (filename === undefined) return { answer };
  const saved = saveAs(talk, tools, { filename, content: answer });
  return typeof saved === 'string' ? { answer: `${answer}\n\n${saved}` } : one(saved);
}
