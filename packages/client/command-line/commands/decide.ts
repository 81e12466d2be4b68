import type { Command } from 'commander';
import type { DecisionRequest, Questions } from '../../decisions/decide.ts';
import type { components } from '../../schema.ts';
import { UsageError } from '../exit-codes.ts';
import { pickModel } from '../session/pick-model.ts';
import { readBody, readGiven } from '../session/read-files.ts';
import type { Session } from '../session/session.ts';
import { bar } from '../shown/bars.ts';
import { paint } from '../shown/paint.ts';
import { collect } from './run-options.ts';

type Answer = components['schemas']['DecisionAnswer'];

interface Options {
  model?: string;
  state?: string;
  question?: string[];
  file?: string;
}

/** `ID=TEXT` as a question to be answered with yes or no. */
function questionsOf(given: readonly string[]): Questions {
  const questions: Questions = {};
  for (const word of given) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`--question must be ID=TEXT, not ${word}`);
    const id = word.slice(0, at);
    if (Object.hasOwn(questions, id)) throw new UsageError(`--question ${id} is there twice`);
    questions[id] = { type: 'noul', instructions: word.slice(at + 1) };
  }
  return questions;
}

/** The file's request, in which the options replace fields. */
async function readRequest(session: Session, options: Options) {
  const { file, state, question, model } = options;
  const fromFile = file === undefined ? {} : await readBody<DecisionRequest>(session, file);
  const request = {
    ...fromFile,
    ...(state !== undefined && { state: await readGiven(session, state) }),
    ...(question && { questions: { ...fromFile.questions, ...questionsOf(question) } }),
    ...(model && { model }),
  };
  if (request.state === undefined) throw new UsageError('The case is missing: --state TEXT or --state @FILE');
  if (!request.questions) throw new UsageError('A question is missing: --question ID=TEXT');
  return { ...request, state: request.state, questions: request.questions };
}

const cells = 24;
const line = (share: number, label: string) =>
  `  ${bar(share, cells)} ${(share * 100).toFixed(1).padStart(5)} %  ${label}`;

function answerLines(answer: Answer): string[] {
  if (answer.type === 'noul') return [line(answer.noul, 'yes')];
  const labels = answer.type === 'score' ? answer.legend : {};
  const label = (key: string) => (typeof labels[key] === 'string' ? `${key} ${labels[key]}` : key);
  const said = answer.type === 'score' ? `score ${answer.score.toFixed(2)}` : answer.choice;
  return [
    ...Object.entries(answer.probabilities).map(([key, share]) => line(share, label(key))),
    `  ${said}, confidence ${answer.confidence.toFixed(2)}`,
  ];
}

async function decide(session: Session, options: Options): Promise<void> {
  const request = await readRequest(session, options);
  const errand = await session.connect();
  const model = request.model ?? (await pickModel(session, errand, ['decision']));
  const { signal } = session.interruption;
  const decision = await errand.decide({ ...request, model }, { signal });
  session.show(decision, () =>
    Object.entries(decision.answers).flatMap(([id, answer]) => [paint.bold(id), ...answerLines(answer)]),
  );
}

export function defineDecide(program: Command, session: Session): void {
  program
    .command('decide')
    .description('ask questions about a case, and see how probable each answer is')
    .option('--model <id>', 'a decision model; the first of the service if absent')
    .option('--state <text>', 'the case, or @FILE')
    .option('--question <id=text>', 'a question of yes or no; may be repeated', collect)
    .option(
      '--file <file>',
      'a request of POST /v1/systemone as JSON, with questions of any kind; - for stdin',
    )
    .addHelpText('after', '\nWith --json: one document, as POST /v1/systemone answers it.')
    .action((options: Options) => decide(session, options));
}
