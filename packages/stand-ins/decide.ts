import { type Behaviour, type ToolRequest, wasCalled } from './behaviours/behaviour.ts';
import { crawlBehaviour } from './behaviours/crawl.ts';
import { documentBehaviour } from './behaviours/document.ts';
import { imageBehaviour } from './behaviours/image.ts';
import { beginPlan, finishPlan } from './behaviours/plan.ts';
import { missingRecordingBehaviour, recordingBehaviour } from './behaviours/recording.ts';
import { saveFileBehaviour } from './behaviours/save-file.ts';
import { searchBehaviour } from './behaviours/search.ts';
import { readValueBehaviour, saveValueBehaviour } from './behaviours/values.ts';
import { briefNotice, notice } from './notices.ts';
import { shorten } from './quote.ts';
import { sampleInput } from './sample-input.ts';
import { readTask, type Task } from './task.ts';
import type { ChatRequest } from './wire/chat-request.ts';

/** The stand-in's next message: text, or calls of tools that the request offers. */
export type Decision = { text: string } | { calls: ToolRequest[] };

/** A stage begins when the previous one wants no more calls. All calls of a stage are made in one turn. */
const stages: readonly (readonly Behaviour[])[] = [
  [missingRecordingBehaviour],
  [beginPlan],
  [
    documentBehaviour,
    crawlBehaviour,
    searchBehaviour,
    imageBehaviour,
    recordingBehaviour,
    saveValueBehaviour,
  ],
  [readValueBehaviour],
  [saveFileBehaviour],
  [finishPlan],
];

export function decide(request: ChatRequest): Decision {
  const task = readTask(request);
  if (task.restated !== undefined) return confirm(task, task.restated, request);
  const calls = request.tool_choice === 'none' ? [] : chooseCalls(task, request);
  if (calls.length === 0) return { text: composeAnswer(task) };
  return { calls: request.parallel_tool_calls === false ? calls.slice(0, 1) : calls };
}

/** Says by a call that an answer is complete, or repeats it where no call is offered. */
const confirm = ({ tools }: Task, answer: string, { tool_choice: choice }: ChatRequest): Decision =>
  tools.has('confirm_answer') && choice !== 'none'
    ? { calls: [{ tool: 'confirm_answer', input: {} }] }
    : { text: answer };

function chooseCalls(task: Task, { tools = [], tool_choice: choice }: ChatRequest): ToolRequest[] {
  const wanted = wantedCalls(task);
  if (typeof choice !== 'object' && choice !== 'required') return wanted;
  const named = typeof choice === 'object' && choice !== null ? choice.function.name : undefined;
  const fitting = wanted.filter(({ tool }) => named === undefined || tool === named);
  const forced = tools.find((tool) => named === undefined || tool.function.name === named);
  if (fitting.length > 0 || forced === undefined) return fitting;
  return [{ tool: forced.function.name, input: sampleInput(forced, task.question) }];
}

function wantedCalls(task: Task): ToolRequest[] {
  for (const stage of stages) {
    const open: ToolRequest[] = [];
    for (const call of stage.flatMap((behaviour) => behaviour.calls(task))) {
      if (task.tools.has(call.tool) && !wasCalled([...task.steps, ...open], call)) open.push(call);
    }
    if (open.length > 0) return open;
  }
  return [];
}

function composeAnswer(task: Task): string {
  const { brief, question, skill } = task;
  const reports = stages.flat().flatMap((behaviour) => behaviour.report(task));
  const paragraphs = reports.map(({ text, aside }) =>
    brief || aside === undefined ? text : `${aside}\n${text}`,
  );
  const echo = brief ? `You asked: ${shorten(question, 60)}` : echoQuestion(question);
  const received =
    skill === undefined ? [] : [`A skill's instructions were received; they begin: "${shorten(skill, 200)}"`];
  const body = paragraphs.length > 0 ? paragraphs : [echo];
  return [...body, ...received, brief ? briefNotice : notice].join('\n\n');
}

const echoQuestion = (question: string): string =>
  question === ''
    ? 'There is no question in the messages. Ask one, and the stand-in repeats it or calls a tool that fits it.'
    : `You asked: "${shorten(question, 300)}". A real model would answer this here. The stand-in only shows that ` +
      'the question arrived and that an answer comes back; it calls tools where they are offered and the question ' +
      'names a document, a search, a page, an image, a value to remember or a file to save.';
