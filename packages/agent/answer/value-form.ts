import {
  type Checking,
  type Leaf,
  problemsOf,
  providerFormat,
  readWritten,
  type SchemaText,
  type ToldValue,
  tellValue,
  type Written,
  withoutUnsupported,
} from '@errand/outputs';
import { limits, stringifyOrderedJson } from '@errand/platform';
import { citeClaims } from '../citations/cite-answer.ts';
import { passagesOfClaims } from '../citations/passages-of-claims.ts';
import { type AgentInput, withWeakClaims } from '../conversation.ts';
import type { Citation, Source } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import { packText } from '../reading/kept-material.ts';
import type { AnswerClaim, AnswerForm, ToldAnswer, ValueForm } from './answer-form.ts';
import { proseForm } from './prose-form.ts';
import { describeMisfit, valueCheckNote, valueCheckQuestion } from './value-prompts.ts';

/** How a run's answer is written: as a value of its schema if it has one, else in prose. */
export const answerForm = ({ question, outputSchema }: AgentInput): AnswerForm =>
  outputSchema === undefined ? proseForm : valueForm(outputSchema, question);

/** The phases ask one after the other about one text. Reading a hostile one takes long. */
interface Reading {
  read(text: string): Written | undefined;
  tell(written: Written): ToldValue;
}

const readingOf = (schema: SchemaText): Reading => ({
  read: ofLast((text) => readWritten(text, schema)),
  tell: ofLast((written) => tellValue(written, schema)),
});

/** Remembers what it has made of the last thing that it was given. */
function ofLast<Given, Made>(make: (given: Given) => Made): (given: Given) => Made {
  let last: { given: Given; made: Made } | undefined;
  return (given) => {
    if (!last || last.given !== given) last = { given, made: make(given) };
    return last.made;
  };
}

function valueForm(schema: SchemaText, question: string): AnswerForm {
  const reading = readingOf(schema);
  const passagesOf: AnswerForm['passagesOf'] = (deps, sources, claims, signal) =>
    passagesOfClaims(withQuestion(deps, question), [sourceOf(question), ...sources], claims, signal);
  return {
    value: writingOf(schema, reading),
    checkPrompt: (weak, characters) => withWeakClaims(valueCheckQuestion, weak, characters),
    checkNote: valueCheckNote,
    claimsOf(answer, sources) {
      const written = reading.read(answer);
      return written ? claimsOf(reading.tell(written).leaves, sources) : [];
    },
    passagesOf,
    newAnswer: (text) => (isWrittenForm(text, reading.read(text)) ? text.trim() : ''),
    async tell(deps, state, answer, signal) {
      const written = reading.read(answer);
      const { owner, log } = deps;
      const problems = state.fits && written ? [] : await problemsIn(schema, written, { signal, owner, log });
      if (!written || problems.length > 0) return { misfit: describeMisfit(problems) };
      const { leaves } = reading.tell(written);
      const claims = claimsOf(leaves, state.sources);
      const cited = await citeClaims(deps, state, { claims, passagesOf }, signal);
      const supports = new Map(claims.map(({ pointer }, i) => [pointer, cited.supports[i]]));
      const fields = leaves.map((leaf) => ({ ...leaf, support: supports.get(leaf.pointer) }));
      return tellWithoutWeak(deps, { schema, written, fields }, cited.citations, signal);
    },
  };
}

const writingOf = (schema: SchemaText, { read, tell }: Reading): ValueForm => ({
  format: providerFormat(schema),
  problemsOf: (text, checking) => problemsIn(schema, read(text), checking),
  mayBeResult(text, sources) {
    const written = read(text);
    return written !== undefined && (written.sources.size > 0 || sources.length === 0);
  },
  isJson: (text) => read(text) !== undefined,
  told(text) {
    const written = read(text);
    return written ? tell(written).text : '';
  },
});

/** A bare value is none: it would replace one with sources. */
const isWrittenForm = (text: string, written: Written | undefined): boolean =>
  written !== undefined && (written.sources.size > 0 || /^[^{]*\{\s*"value"\s*:/.test(text));

async function problemsIn(
  schema: SchemaText,
  written: Written | undefined,
  checking: Checking,
): Promise<string[]> {
  if (!written) return ['There is no JSON object with "value" and "sources".'];
  const problems = await problemsOf(schema, written.value, checking);
  return problems.map(({ pointer, problem }) => `${pointer || 'value'}: ${problem}`);
}

/** The leaves as claims, within what of an answer is cited and proved. Numbers of no source are left out. */
function claimsOf(
  leaves: readonly Leaf[],
  sources: readonly Source[],
): (AnswerClaim & { pointer: string })[] {
  const known = new Set([0, ...sources.map(({ number }) => number)]);
  let citations = 0;
  return leaves.flatMap(({ pointer, startIndex, endIndex, claim, sources: named }) => {
    if (citations >= limits.citationsPerAnswer) return [];
    const cited = [...new Set(named)].filter((number) => known.has(number)).slice(0, limits.sourcesPerClaim);
    citations += Math.max(1, cited.length);
    return [{ pointer, startIndex, endIndex, text: claim, sources: cited }];
  });
}

/** A longer question is searched for the passages about a field, as a document is. */
const shortQuestionCharacters = 2_000;
const questionMaterial = 'question';

/** The question, which a value may name as the source of a field. */
const sourceOf = (question: string): Source =>
  question.length <= shortQuestionCharacters
    ? { number: 0, kind: 'result', snippet: question }
    : { number: 0, kind: 'document', material: questionMaterial };

const withQuestion = <Deps extends Pick<AgentDeps, 'material'>>(deps: Deps, question: string): Deps => ({
  ...deps,
  material: {
    ...deps.material,
    read: async (name, signal) =>
      name === questionMaterial ? packText(question) : deps.material.read(name, signal),
  },
});

type Field = Leaf & { support: number | undefined };

/** The value with null in place of what is not borne out, as far as the schema allows it. */
async function tellWithoutWeak(
  { proof, owner, log }: AgentDeps,
  { schema, written, fields }: { schema: SchemaText; written: Written; fields: readonly Field[] },
  citations: readonly Citation[],
  signal: AbortSignal,
): Promise<ToldAnswer> {
  const weak = fields.filter(({ support = 1 }) => support < (proof?.threshold ?? 0));
  const unsupported = weak.map(({ pointer }) => pointer);
  const checking = { signal, owner, log };
  const { value, nulled } =
    weak.length === 0
      ? { value: written.value, nulled: none }
      : await withoutUnsupported(schema, written.value, unsupported, checking);
  let moved = 0;
  /** Where each field begins now, by where it began; undefined for one that is null now. */
  const places = new Map<number, Pick<Field, 'startIndex' | 'endIndex'> | undefined>();
  const basis = fields.map(({ pointer, startIndex, endIndex, support }) => {
    const isKept = !nulled.has(pointer);
    const length = isKept ? endIndex - startIndex : nothing.length;
    const place = { startIndex: startIndex + moved, endIndex: startIndex + moved + length };
    places.set(startIndex, isKept ? place : undefined);
    moved += length - (endIndex - startIndex);
    return { pointer, ...place, support };
  });
  const left = citations.flatMap((citation) => {
    const place = places.get(citation.startIndex);
    return place ? [{ ...citation, ...place }] : [];
  });
  return { text: stringifyOrderedJson(value), citations: left, basis, ...(proof && { unsupported }) };
}

const nothing = 'null';
const none: ReadonlySet<string> = new Set();
