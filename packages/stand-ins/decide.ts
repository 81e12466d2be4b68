import { askedForm } from './asked-form.ts';
import { type Behaviour, isError, type Report, type ToolRequest, wasCalled } from './behaviours/behaviour.ts';
import { imageBehaviour } from './behaviours/image.ts';
import { investigateBehaviour } from './behaviours/investigate.ts';
import { beginPlan, finishPlan } from './behaviours/plan.ts';
import { crawlBehaviour, documentBehaviour, quotesOfSources } from './behaviours/reading.ts';
import { missingRecordingBehaviour, recordingBehaviour } from './behaviours/recording.ts';
import { saveFileBehaviour } from './behaviours/save-file.ts';
import { searchBehaviour } from './behaviours/search.ts';
import { readValueBehaviour, saveValueBehaviour } from './behaviours/values.ts';
import {
  formattedText,
  isWrittenForm,
  promptedText,
  sampleArguments,
  takesArguments,
} from './forced-output.ts';
import { shorten } from './quote.ts';
import { readTask, readWhole, type Task } from './task.ts';
import {
  type ChatRequest,
  readToolChoice,
  type ToolChoice,
  type ToolDefinition,
} from './wire/chat-request.ts';

/** Every answer ends with one of these, so that nobody takes a stand-in for a model. */
const notice =
  'This answer comes from a stand-in, which follows rules and is no language model. Set real models with ' +
  'MODEL_BASE_URL, MODEL_API_KEY and MODEL_ID, or with a catalogue file named in MODEL_CATALOGUE.';

const briefNotice = '(Stand-in; set MODEL_BASE_URL, MODEL_API_KEY and MODEL_ID, or MODEL_CATALOGUE.)';

/** The stand-in's next message: text, or calls of tools that the request offers. */
type Decision = { text: string } | { calls: ToolRequest[] };

/** A stage begins when the previous one wants no more calls. All calls of a stage are made in one turn. */
const stages: readonly (readonly Behaviour[])[] = [
  [missingRecordingBehaviour],
  [beginPlan],
  [investigateBehaviour],
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

/** The tools of Errand's agent. Any other tool of a request is one that only its caller knows. */
export const agentTools: ReadonlySet<string> = new Set([
  ...stages.flat().map(({ tool }) => tool),
  'confirm_answer',
]);

export function decide(request: ChatRequest): Decision {
  const task = readTask(request);
  const choice = readToolChoice(request);
  if (task.restated !== undefined && choice.mode === 'auto' && task.tools.has('confirm_answer')) {
    return { calls: [{ tool: 'confirm_answer', input: {} }] };
  }
  const calls = task.restated !== undefined && !isForced(choice) ? [] : chooseCalls(task, choice);
  if (calls.length === 0) return { text: formedText(request) ?? task.restated ?? composeAnswer(task) };
  return { calls: request.parallel_tool_calls === false ? calls.slice(0, 1) : calls };
}

/** The text that the conversation, or the request, asks for as JSON. A `response_format` has less of a run's schema: no length, not each format. */
function formedText(request: ChatRequest): string | undefined {
  const said = quotesOfSources(readWhole(request));
  const format = request.response_format;
  const isOther = format?.type === 'json_schema' && !isWrittenForm(format.json_schema.schema);
  const form = isOther ? undefined : askedForm(request);
  return form ? promptedText(form, said) : formattedText(request, said);
}

const isForced = ({ mode }: ToolChoice): boolean => mode === 'named' || mode === 'required';

/**
 * A function that the request names is called each time. Where any call is required, each tool is called once for a
 * question, so that a loop that always requires one comes to its end.
 */
function chooseCalls(task: Task, choice: ToolChoice): ToolRequest[] {
  const wanted = wantedCalls(task);
  const isFit = ({ tool, input }: ToolRequest) =>
    choice.tools.some((each) => each.function.name === tool && takesArguments(each, input));
  const fit = isForced(choice) ? wanted.filter(isFit) : wanted;
  if (fit.length > 0) return fit;
  const open = choice.tools.filter(({ function: { name } }) => !task.last.called.has(name));
  const asked = open.filter(({ function: { name } }) => isNamed(task.last.said, name));
  if (choice.mode === 'auto') return asked.map(sampleCall);
  const forced = choice.mode === 'named' ? choice.tools[0] : (asked[0] ?? open[0]);
  return forced === undefined ? [] : [sampleCall(forced)];
}

const sampleCall = (tool: ToolDefinition): ToolRequest => ({
  tool: tool.function.name,
  input: sampleArguments(tool),
});

function wantedCalls(task: Task): ToolRequest[] {
  for (const stage of stages) {
    const open: ToolRequest[] = [];
    const calls = stage.flatMap(({ tool, inputs }) => inputs(task).map((input) => ({ tool, input })));
    for (const call of calls) {
      if (task.tools.has(call.tool) && !wasCalled([...task.steps, ...open], call)) open.push(call);
    }
    if (open.length > 0) return open;
  }
  return [];
}

function composeAnswer(task: Task): string {
  const { brief, question, skill } = task;
  const reports = [...stages.flat().flatMap((behaviour) => behaviour.report(task)), ...reportForeign(task)];
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

/** Says what tools answered that only a caller knows. */
const reportForeign = ({ steps }: Task): Report[] =>
  steps
    .filter(({ tool }) => !agentTools.has(tool))
    .map(({ tool, result }) => ({
      text: `The tool ${tool} ${isError(result) ? 'failed' : 'answered'}: ${shorten(result.trim(), 1_000)}`,
    }));

const leadingVerb = /^(?:get|fetch|find|look up|list|read|show) /;

/** Whether a text names a caller's tool: `get_weather` is named by "get weather", and by "weather" alone. */
function isNamed(text: string, tool: string): boolean {
  if (agentTools.has(tool)) return false;
  const name = wordsOf(tool);
  return [name, name.replace(leadingVerb, '')].some((each) => ` ${wordsOf(text)} `.includes(` ${each} `));
}

const wordsOf = (text: string): string =>
  text
    .replace(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';
