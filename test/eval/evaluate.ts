import { makeCorpus } from './corpus/corpus.ts';
import {
  type Catalogue,
  defaultContextTokens,
  madeCatalogue,
  withAddresses,
  withEmbeddings,
  withModel,
} from './models/catalogue.ts';
import { namesJudge } from './models/decisions.ts';
import { type Recorder, startRecorder } from './models/recorder.ts';
import { startModels } from './models/server.ts';
import { openTape } from './models/tape.ts';
import { type Effort, refusedScore, runTask, type Score } from './run-task.ts';
import { type Library, library } from './score/statements.ts';
import { type Service, startService } from './service.ts';
import { type Site, startSite } from './site/site.ts';
import type { Kind, Task } from './tasks/task.ts';

export interface Checkout {
  name: string;
  root: string;
}

interface EvaluationOptions {
  kinds: readonly Kind[];
  /** The checkouts whose services are measured, one after the other. The next one is asked for when the last was measured. */
  checkouts: Iterable<Checkout> | AsyncIterable<Checkout>;
  /** The operator's catalogue, with the model that takes the place of the policy. */
  model?: { id: string; catalogue: Catalogue };
  /** Files to keep a model's answers in, and to take them from. */
  record?: string;
  replay?: string;
  tasksAtOnce: number;
  /** Each service is measured with each. What the service does without one if there is none. */
  efforts?: readonly Effort[];
  /** The context of the policy's model; that of real models is in the catalogue. */
  contextTokens?: number;
  /** How long each completion of the policy takes. */
  paceSeconds?: number;
  /** Gives the role of embeddings to a made model. */
  embeddings?: boolean;
  /** Decides the mistakes of the policy. */
  seed?: string;
  /** Is told of each service that was measured. */
  measured?(evaluation: Evaluation): void;
  /** Only these tasks of the kinds. */
  choose?: (task: Task) => boolean;
}

export interface Evaluation {
  /** The service's name. */
  name: string;
  effort?: Effort;
  scores: readonly Score[];
  peakMegabytes: number | undefined;
  seconds: number;
}

/** Runs the same tasks against the service of each checkout. */
export async function evaluate(options: EvaluationOptions): Promise<Evaluation[]> {
  const { kinds, choose = () => true, contextTokens = defaultContextTokens, seed = '1' } = options;
  await using stack = new AsyncDisposableStack();
  const site = stack.adopt(await startSite(), (one) => one.close());
  const corpus = makeCorpus(kinds, { site: site.server.url, attacker: site.attacker.url });
  site.publish(corpus.materials);
  const uploads = corpus.tasks.flatMap(({ upload }) => upload ?? []);
  const all = [...corpus.materials, ...uploads];
  const models = stack.adopt(
    await startModels({
      transcripts: corpus.transcripts,
      judge: namesJudge(all.flatMap(({ states }) => states)),
      contextTokens,
      seed,
      paceSeconds: options.paceSeconds,
    }),
    (one) => one.close(),
  );
  const tape = await openTape(options, {
    'http://site.invalid': site.server.url,
    'http://attacker.invalid': site.attacker.url,
  });
  const recorder = stack.adopt(await startRecorder(tape), (one) => one.close());
  const made = madeCatalogue(models.url, contextTokens);
  const own = options.model ? withModel(options.model, made) : made;
  const catalogue = options.embeddings ? withEmbeddings(own, models.url) : own;
  const tasks = corpus.tasks.filter(choose);
  if (tasks.length === 0) throw new Error('No task has this name.');
  const evaluations: Evaluation[] = [];
  const scoring = { site, recorder, library: library(all), catalogue, tasks };
  for await (const checkout of options.checkouts) {
    for (const effort of options.efforts ?? [undefined]) {
      models.forget();
      const evaluation = await evaluateCheckout({ ...options, ...scoring, checkout, effort });
      evaluations.push(evaluation);
      options.measured?.(evaluation);
    }
  }
  await tape?.save();
  const changed = tape?.changed() ?? 0;
  if (changed > 0)
    console.error(`${changed} requests are not what they were when the answers were recorded.`);
  return evaluations;
}

interface CheckoutOptions extends EvaluationOptions {
  effort?: Effort;
  checkout: Checkout;
  site: Site;
  recorder: Recorder;
  library: Library;
  catalogue: Catalogue;
  tasks: readonly Task[];
}

async function evaluateCheckout(options: CheckoutOptions): Promise<Evaluation> {
  const { checkout, site, recorder, catalogue, tasks, effort } = options;
  const service = await startService(checkout.root, {
    catalogue: withAddresses(catalogue, recorder.addressOf),
    searchUrl: site.server.url,
    hosts: [site.server.host, site.attacker.host],
  });
  const startedAt = performance.now();
  try {
    await createSkills(service, tasks);
    site.received.addresses.length = 0;
    site.received.queries.length = 0;
    const deps = { ...options, service };
    const scores = await inParallel(tasks, options.tasksAtOnce, (task) =>
      runTask(deps, task).catch((error: unknown) => refusedScore(task, error)),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    return { name: checkout.name, effort, scores, peakMegabytes: service.peakMegabytes(), seconds };
  } finally {
    await service.stop();
  }
}

async function createSkills(service: Service, tasks: readonly Task[]): Promise<void> {
  for (const { skill } of tasks) {
    if (!skill) continue;
    const response = await service.request('/v1/skills', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(skill),
    });
    if (response.status !== 201)
      throw new Error(`skill ${skill.name}: ${response.status} ${await response.text()}`);
  }
}

/** The results in the order of the items. */
async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next++;
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
