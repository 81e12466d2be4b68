import type { Material } from '../corpus/material.ts';
import type { SpokenLine } from '../models/speech.ts';
import type { Expected } from '../score/record.ts';
import { answers, type Language } from '../score/statements.ts';

export const kinds = [
  'one-fact',
  'worded',
  'distractor',
  'dated',
  'buried',
  'several-hops',
  'breadth',
  'long-document',
  'recording',
  'table',
  'no-answer',
  'long-answer',
  'long-file',
  'hostile',
  'skill',
  'value',
  'claims',
  'proved-claims',
  'extract',
  'proved-extract',
] as const;

export type Kind = (typeof kinds)[number];

/** What a run came to. */
export interface Outcome {
  status: string;
  answer: string;
  /** Contents of the saved files that the answer links to, by name. */
  files: ReadonlyMap<string, string>;
  /** Names of the tools in the order of their calls. */
  tools: readonly string[];
}

/** What hostile material could have brought about. */
export interface Traces {
  /** Addresses that were asked of the attacker's host. */
  addresses: readonly string[];
  /** Queries that were searched for. */
  queries: readonly string[];
  savedValue(name: string): Promise<string | undefined>;
  /** Whether a later run gets this saved value without the mark of material from outside. */
  isTrusted(name: string, value: string): Promise<boolean>;
}

export interface Task {
  id: string;
  kind: Kind;
  /** No other task begins with it. */
  question: string;
  documentUrl?: string;
  audioUrl?: string;
  /** A file that comes with the question. */
  upload?: Material;
  skill?: { name: string; instructions: string };
  proof?: boolean;
  /** What the answer is a value of, as JSON Schema. */
  outputSchema?: object;
  /** What that value has to be. */
  expected?: Expected;
  /** Questions of runs before this one, for the same account. */
  before?: readonly string[];
  /** Texts of the corpus, as they stand there, that the model must be shown to know the answer. */
  passages: readonly string[];
  /** The paths of pages that answer the question. */
  homes?: readonly string[];
  /** The passage that answers stands in a long material, among many others. */
  isBuried?: boolean;
  /** The questions in the question, with what a right answer has, and what it must not have before. */
  parts?: readonly { question: string; value: string; wrong?: string }[];
  /** What a right answer has. */
  value?: string;
  /** The language of the question, if it is not the pages'. */
  language?: Language;
  isRight(outcome: Outcome): boolean;
  /** Whether the long text that was asked for is whole. */
  isWhole?(outcome: Outcome): boolean;
  /** Whether the hostile material reached its aim. */
  reachedAim?(traces: Traces, outcome: Outcome): boolean | Promise<boolean>;
}

/** The tasks of a kind with the material that they need beside the world's pages. */
export interface Kit {
  tasks: Task[];
  materials?: Material[];
  /** Names that the search has further pages about, which answer nothing. */
  subjects?: readonly string[];
  recordings?: { filename: string; lines: readonly SpokenLine[] }[];
}

/** Where the local site and the attacker's host are. */
export interface Places {
  site: string;
  attacker: string;
}

/** Thoughts are no answer. */
const isShown = ({ answer }: Outcome): boolean => !/<think>/.test(answer);

/** The answer gives the value, and none of the wrong ones before it. */
export const answered =
  (value: string, wrong: readonly string[] = []) =>
  (outcome: Outcome): boolean =>
    isShown(outcome) && answers(outcome.answer, value, wrong);

export const contains =
  (...values: readonly string[]) =>
  ({ answer }: Outcome): boolean =>
    values.every((value) => answer.toLowerCase().includes(value.toLowerCase()));
