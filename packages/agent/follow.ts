import type { ToolCall } from '@errand/models';
import { answerForm } from './answer/value-form.ts';
import { inOrderOfCalls } from './answer-call.ts';
import { checkOf, schemaOf, withoutQuestion } from './carried-answer.ts';
import { type AgentInput, mostRounds, openingMessages, roundsNote } from './conversation.ts';
import type { AskedCall, ConversationMessage } from './data.ts';
import { guardedForNext, privateTexts } from './outside/guarded.ts';
import { isOwnUpload, toldLinks } from './outside/known-secrets.ts';
import { keptNames, uploadMaterial } from './reading/kept-material.ts';
import {
  type AgentState,
  type Conversation,
  conversationOf,
  type Followed,
  initialState,
  type Opening,
  type RunSoFar,
  type Starting,
  soFar,
  type Tried,
  type Whole,
} from './state.ts';
import { lostAnswer } from './tool.ts';
import { addressOf, type Coming, toldOf, withAttachment } from './unread.ts';

/** A run that has ended, as another goes on from it. */
export interface EndedRun {
  input: AgentInput;
  /** Its last checkpoint. */
  state: AgentState;
}

/** What a run takes over from the one that it goes on from. */
export interface CarriedOver {
  state: Starting;
  /** The names of the material that the run before has kept. */
  material: readonly string[];
  /** The name that such material has in the new run. */
  rename(material: string): string;
  /** The names of the saved files. */
  files: readonly string[];
}

/**
 * The first state of a run that goes on from another: what the other has asked, answered and read, with its sources under their
 * numbers. `place` is the number of the other run in its chain, which sets its upload apart from those of the others; `coming` is what the
 * new run reads of its own, with what the other had not read.
 */
export function followRun(
  { input: given, state: last }: EndedRun,
  { place, coming, now }: { place: number; coming: Coming; now: number },
): CarriedOver {
  const input = toldOf(given, last, coming);
  const state = withAttachment(input, last);
  // The upload of every run is kept under the same name.
  const rename = (name: string) => (name === uploadMaterial ? `${uploadMaterial}-${place}` : name);
  const filename = coming.attachment?.filename;
  const isTaken = state.sources.some((source) => source.filename === filename);
  const sources = state.sources.map((source) => ({
    ...source,
    material: source.material && rename(source.material),
    filename: isTaken ? earlierName(source.filename, filename) : source.filename,
  }));
  const { fetched, savedFiles } = state;
  const carried: Starting = {
    ...initialState,
    ...guardedForNext(input, state).state,
    fetched,
    sources,
    savedFiles,
    followed: { ...leftBehind(input, state, now), readings: readingsOf(input, last, state) },
  };
  const material = state.sources.flatMap(keptNames);
  return { state: carried, material, rename, files: Object.keys(savedFiles) };
}

/** No two files of a chain have one name. */
function earlierName(name: string | undefined, coming: string | undefined): string | undefined {
  if (name === undefined || coming === undefined || !name.endsWith(coming)) return name;
  return /^(earlier )*$/.test(name.slice(0, -coming.length)) ? `earlier ${name}` : name;
}

/** The private texts. The first readings of `state` are those of `given`, which were read at addresses too. */
function readingsOf(input: AgentInput, given: AgentState, state: AgentState): string[] {
  const before = 'followed' in state ? (state.followed?.readings ?? []) : [];
  const read = given.phase === 'forced' ? given.forced.slice(0, given.readings.length) : [];
  const readings = state.readings.filter((_, i) => !read[i] || isOwnUpload(input, addressOf(read[i])));
  return [...before, ...toldLinks(input), ...privateTexts(input, readings)];
}

/** The conversation of the run that has ended, with the calls that have no answer. */
function leftBehind(input: AgentInput, state: AgentState, now: number): Omit<Followed, 'readings'> {
  const none = { calls: [], asked: [], asks: false };
  switch (state.phase) {
    case 'start':
    case 'forced':
      return { ...none, ...unopened(input, state, now) };
    case 'open': {
      const { calls = [], cutCall, judged } = state;
      const called = { calls, cutCall, judged };
      return {
        ...none,
        ...conversationOf(state),
        ...called,
        ...triedOf(state),
        check: checkOf(input, state),
      };
    }
    case 'think':
      return {
        ...none,
        ...withoutPartial(state),
        ...triedOf(state),
        check: checkOf(input, state),
        writing: state.writing && state.messages.at(-1)?.role === 'user' ? true : undefined,
      };
    case 'act':
      return { ...none, ...withLostAnswers(state), check: checkOf(input, state) };
    case 'cite': {
      const { answerToCite: answer, stopReason, fits, proven, proofPasses } = state;
      const content = answerForm(input).checkPrompt();
      const messages: ConversationMessage[] = [...state.messages, { role: 'user', content }];
      const schema = schemaOf(input);
      const check = { answer, stopReason, fits, schema, isProved: true as const, proven, proofPasses };
      return { ...none, ...conversationOf(state), messages, check };
    }
    case 'ended': {
      const { conversation = unopened(input, state, now), calls = [], asked = [] } = state;
      return { ...conversation, calls, asked, asks: calls.length > 0 };
    }
  }
}

const triedOf = ({ wasEmpty, gotRoom, writtenCalls }: Tried): Whole<Tried> => ({
  wasEmpty,
  gotRoom,
  writtenCalls,
});

/** The conversation that the run would have begun with what it had read by then. If it went on from another, that one's comes first. */
function unopened(
  input: AgentInput,
  state: AgentState,
  now: number,
): Conversation & Partial<Omit<Followed, 'readings'>> {
  const { readings, sources } = state;
  const attachmentNumber = sources.find(({ filename }) => filename === input.attachment?.filename)?.number;
  const opening = { readings, documentSeen: false, attachmentNumber, tools: [] };
  const messages = openingMessages(input, opening, now);
  if (!('followed' in state) || !state.followed) return { messages, rounds: 0 };
  // What was to answer `request_input` is still to be read, and answers it then.
  if (saysNothing(input, messages)) return state.followed;
  return leftBehind(
    input,
    takeUp((_, result) => result, input, messages, soFar(state), state.followed),
    now,
  );
}

const saysNothing = (
  { functionResults = [], approvals = [] }: AgentInput,
  [, words]: readonly ConversationMessage[],
): boolean => words?.content === '' && functionResults.length + approvals.length === 0;

/** The beginning of a cut answer is written again: the run that goes on could not join it. */
function withoutPartial(state: Conversation & { partial?: object }): Conversation {
  const { messages, ...rest } = conversationOf(state);
  const last = messages.findLastIndex(({ role }) => role === 'tool' || role === 'user');
  const isCut = state.partial !== undefined && last > 0 && messages[last - 1]?.role === 'assistant';
  return { ...rest, messages: isCut ? messages.slice(0, last - 1) : messages };
}

/** The model is told which calls may have been sent. The others are still to be made. */
function withLostAnswers(
  state: Extract<AgentState, { phase: 'act' }>,
): Conversation & Pick<Followed, 'calls' | 'cutCall' | 'judged'> {
  const { begun = 0, calls, cutCall, judged } = state;
  const lost = calls.slice(0, begun).map((call) => answerOf(call, lostAnswer(call.function.name)));
  return {
    ...conversationOf(state),
    messages: [...state.messages, ...lost],
    calls: calls.slice(begun),
    cutCall,
    judged,
  };
}

const answerOf = (call: ToolCall, content: string): ConversationMessage => ({
  role: 'tool',
  tool_call_id: call.id,
  content,
});

/** What the model reads of a call that the caller was asked about, and has left without an answer. */
const unanswered = 'Error: The caller has not answered this call.';
const notMade = 'Error: This call was not made, because the run ended before.';

/** A result as far as the model is shown it. */
type CutResult = (messages: readonly ConversationMessage[], result: string) => string;

/**
 * The state in which a run that goes on from another begins its loop, or its check. The caller's answers follow the calls that asked for
 * them. Calls that were approved are made next. A question comes last.
 */
export function takeUp(
  cut: CutResult,
  input: AgentInput,
  opening: readonly ConversationMessage[],
  before: RunSoFar,
  followed: Followed,
): Opening {
  const [system, question] = opening as [ConversationMessage, ConversationMessage];
  const words = question.content ?? '';
  const { leftOut, asks, check, cutCall, judged } = followed;
  // A run that was stopped makes its calls now. New words stand behind the answers of all calls, so that none can be made then.
  const resumes = input.continues === true && !asks && words === '';
  const approved = approvedCalls(input, followed.asked);
  const isNext = ({ id }: ToolCall) => resumes || approved.some((call) => call.id === id);
  const answersRequest = (call: ToolCall) => asks && words !== '' && call.function.name === 'request_input';
  const answers = followed.calls
    .filter((call) => !isNext(call))
    .map((call) => answerOf(call, answersRequest(call) ? words : replyTo(cut, input, followed, call)));
  const calls = followed.calls.filter(isNext);
  const beginsAnew = words !== '' && !followed.calls.some(answersRequest);
  const earlier = followed.messages.slice(1);
  const said = inOrderOfCalls([...(resumes ? earlier : withoutQuestion(followed, earlier)), ...answers]);
  const isRoundOver = !beginsAnew && answers.length > 0 && calls.length === 0;
  const conversation = {
    ...before,
    readings: [...followed.readings, ...before.readings],
    messages: [system, ...(beginsAnew ? withWords(said, words) : said)],
    leftOut,
    notes: isRoundOver ? withRoundsNote(input, followed, said) : followed.notes,
    rounds: beginsAnew ? 0 : followed.rounds,
    phase: 'open' as const,
    calls: calls.length > 0 ? calls : undefined,
    cutCall,
    judged,
    ...(resumes && triedOf(followed)),
    approved: approved.length > 0 ? approved.map(({ digest }) => digest) : undefined,
  };
  // An answer of another schema is written anew.
  if (!resumes || !check || check.schema !== schemaOf(input)) return { ...conversation, part: 'loop' };
  const { schema: _, ...checked } = check;
  return { ...conversation, part: 'check', ...checked };
}

/** Some servers want user and model to take turns. */
function withWords(said: readonly ConversationMessage[], words: string): ConversationMessage[] {
  const last = said.at(-1);
  return last?.role === 'user'
    ? [...said.slice(0, -1), { role: 'user', content: `${last.content}\n\n${words}` }]
    : [...said, { role: 'user', content: words }];
}

/** The model is told how many rounds are left as if all calls had been answered in one run. */
function withRoundsNote(
  input: AgentInput,
  { notes, rounds }: Conversation,
  said: readonly ConversationMessage[],
): Conversation['notes'] {
  const last = said.at(-1);
  const note = roundsNote({ part: 'loop', rounds }, mostRounds(input));
  return note !== undefined && last?.role === 'tool' ? { ...notes, [last.tool_call_id]: note } : notes;
}

const approvedCalls = ({ approvals = [] }: AgentInput, asked: readonly AskedCall[]): AskedCall[] =>
  asked.filter(
    ({ id, type }) =>
      type === 'approval' && approvals.some(({ callId, approve }) => callId === id && approve),
  );

function replyTo(
  cut: CutResult,
  { functionResults = [], approvals = [] }: AgentInput,
  { asked, messages }: Followed,
  call: ToolCall,
): string {
  const refused = approvals.find(({ callId, approve }) => callId === call.id && !approve);
  if (refused) {
    const { reason } = refused;
    return `Error: The caller has refused this call of ${call.function.name}.${reason ? ` ${reason}` : ''}`;
  }
  const given = functionResults.find(({ callId }) => callId === call.id);
  if (!given) return asked.some(({ id }) => id === call.id) ? unanswered : notMade;
  const text = given.error === undefined ? (given.result ?? '') : `Error: ${given.error}`;
  return cut(messages, text);
}
