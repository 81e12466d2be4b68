import { urlsIn } from '../clauses.ts';
import type { Task } from '../task.ts';
import { type Behaviour, hasAudioName, hasRecordingText, stepsWith } from './behaviour.ts';
import { beginPlan } from './plan.ts';
import { reportReading } from './reading.ts';
import { searchBehaviour } from './search.ts';
import { readValueBehaviour, saveValueBehaviour } from './values.ts';

const speaksOfRecording =
  /\b(?:meetings?|recordings?|recorded|transcri(?:be|pts?|ption)|minutes of|podcast|voice memo)\b/i;
const spokenLine = /^\s*(?:\[?\d{1,2}:\d{2}|[\p{L}][\p{L}\p{N} .]{0,40}:\s)/gmu;
const transcriptCharacters = 1_000;

/** Asks the caller for a recording that the question mentions but that did not come with it. */
export const missingRecordingBehaviour: Behaviour = {
  tool: 'request_input',
  inputs: (task) => (lacksRecording(task) ? [askForRecording] : []),
  report: () => [],
};

export const recordingBehaviour: Behaviour = {
  tool: 'audio_transcribe',
  inputs: (task) => (hasRecordingText(task) ? [] : audioUrls(task).map((url) => ({ url }))),
  report: (task) =>
    stepsWith(task, 'audio_transcribe').map(({ input, result }) =>
      reportReading(`the recording ${String(input.url)}`, result, task.question),
    ),
};

const askForRecording = {
  message:
    'The question is about a recording, and none came with it. Send it, or its URL, in a run that goes on from this one.',
  expected: [{ name: 'audioUrl', description: 'Publicly reachable URL of the recording' }],
};

const audioUrls = ({ links, question }: Task): string[] => [
  ...new Set([
    ...(links.audioUrl === undefined ? [] : [links.audioUrl]),
    ...urlsIn(question).filter(hasAudioName),
  ]),
];

function lacksRecording(task: Task): boolean {
  const { question, links, material } = task;
  if (!speaksOfRecording.test(question) || hasRecordingText(task) || material.length > 0) return false;
  if (links.audioUrl !== undefined || links.documentUrl !== undefined || urlsIn(question).length > 0)
    return false;
  const looksSpoken =
    question.length > transcriptCharacters || (question.match(spokenLine) ?? []).length >= 3;
  const otherBehaviours = [searchBehaviour, saveValueBehaviour, readValueBehaviour, beginPlan];
  const hasOtherSource = otherBehaviours.some((behaviour) => behaviour.inputs(task).length > 0);
  return !looksSpoken && !hasOtherSource;
}
