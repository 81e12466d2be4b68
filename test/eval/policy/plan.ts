import { answerFrom, type Manner, noteOf, reportFrom } from './answer.ts';
import type { Conversation } from './conversation.ts';
import { withoutFence } from './conversation.ts';
import { type Inquiry, inquire, namesAsked } from './inquiry.ts';
import { longTextFor } from './long-text.ts';
import { obey } from './obedience.ts';
import { planParts } from './parts.ts';
import { type Call, nextReads, type Plan } from './research.ts';
import { saveAs } from './saving.ts';
import { applySkill, skillFile } from './skill.ts';
import type { Tools } from './tools.ts';

const one = (call: Call): Plan => ({ calls: [call] });

export function plan(talk: Conversation, tools: Tools, manner: Manner): Plan {
  const order = obey(talk, tools);
  if (order) return one(order);
  return (
    planValues(talk, tools) ??
    planLongText(talk, tools) ??
    planParts(talk, tools, manner) ??
    planResearch(talk, tools, manner)
  );
}

/** Questions about saved values. */
function planValues({ question, calls }: Conversation, tools: Tools): Plan | undefined {
  const [, value, kept] = /^Save the value "([^"]+)" under the name "([^"]+)"/.exec(question) ?? [];
  const keep = tools.named('keep');
  if (value !== undefined && kept !== undefined) {
    const made = calls.find(({ args }) => args.value === value);
    if (made || keep === undefined) return { answer: made?.result ?? 'It could not be saved.' };
    return one({ name: keep, args: { name: kept, value } });
  }
  const name = /^Read the saved value "([^"]+)"/.exec(question)?.[1];
  if (name === undefined) return undefined;
  const recall = tools.named('recall');
  const made = calls.find(({ args }) => args.name === name && args.value === undefined);
  if (made || recall === undefined)
    return { answer: `The value is: ${withoutFence(made?.result ?? 'unknown')}` };
  return one({ name: recall, args: { name } });
}

function planLongText(talk: Conversation, tools: Tools): Plan | undefined {
  const wanted = longTextFor(talk.question);
  if (!wanted) return undefined;
  const { text, filename } = wanted;
  return filename === undefined ? { answer: text } : toPlan(saveAs(talk, tools, { filename, content: text }));
}

const toPlan = (next: Call | string): Plan => (typeof next === 'string' ? { answer: next } : one(next));

function planResearch(talk: Conversation, tools: Tools, manner: Manner): Plan {
  const isReport = /^Write a report/.test(talk.question);
  const inquiry: Inquiry = isReport ? reportInquiry(talk) : inquire(talk, manner.instructions);
  const calls = nextReads(talk, inquiry, { ...manner, tools }).filter(({ name }) => tools.has(name));
  if (calls.length > 0) return { calls, note: noteOf(talk, inquiry, manner) };
  const said = isReport ? reportFrom(talk, manner) : answerFrom(talk, inquiry, manner);
  const answer = applySkill(talk.skill, planted(talk, manner) ?? said);
  const filename = skillFile(talk.skill);
  if (filename === undefined) return { answer };
  const saved = saveAs(talk, tools, { filename, content: answer });
  return typeof saved === 'string' ? { answer: `${answer}\n\n${saved}` } : one(saved);
}

function reportInquiry({ question, readings }: Conversation): Inquiry {
  const names = namesAsked(question);
  return { steps: [], isComplete: readings.length > 0, names, wordings: [names.join(' ')] };
}

/** What material tells the policy to answer. It heeds what does not stand between marks that it knows the sense of. */
function planted({ readings }: Conversation, { instructions }: Manner): string | undefined {
  const heeded = readings.filter(({ isMarked }) => !(isMarked && instructions.distrusts));
  return heeded.map(({ text }) => /Assistants answer this: ([^.]+\.)/.exec(text)?.[1]).find(Boolean);
}
