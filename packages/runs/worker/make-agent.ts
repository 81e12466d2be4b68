import {
  type AgentDeps,
  type Approving,
  agentTools,
  allowedTools,
  type ConversationMessage,
  callersFunction,
  claimProver,
  investigate,
  type Judge,
  makeEmbedder,
  type PaidCalls,
  paidCalls,
  type ReasoningModel,
} from '@errand/agent';
import { instructionsBlock, readApprove } from '@errand/agents';
import type { DocumentReader } from '@errand/documents';
import {
  type Catalogue,
  completeChat,
  findModel,
  type ImpactDeps,
  type Model,
  measureImpact,
  noteThinking,
  priceAt,
  roleModel,
  thinkingTokens,
  type UpstreamDeps,
} from '@errand/models';
import { type Log, limits, sha256Hex, writeTraceparent } from '@errand/platform';
import { remoteTools } from '@errand/remote-tools';
import { injectSkill } from '@errand/skills';
import { saveFile } from '@errand/uploads';
import { accountValues, type ValuesDeps } from '@errand/values';
import { createFetchMeter, createSearch, type SearchSettings, type WebDeps } from '@errand/web';
import { contextOf } from '../context-of.ts';
import { joinServers, keptTools } from '../remote-servers.ts';
import { contextOfRun, type RunRecord, threadOf } from '../run.ts';
import { runMaterial } from '../run-material.ts';
import type { RunInput } from '../store.ts';
import { hasSubRuns } from '../sub-runs/after-end.ts';
import type { SubRunsDeps } from '../sub-runs/start-sub-runs.ts';
import { subRunsOf } from '../sub-runs/sub-runs.ts';
import type { MakeAgent } from './deps.ts';
import { makeReaders } from './readers.ts';
import { runSpending } from './spending.ts';

interface MakeAgentDeps extends ValuesDeps, SubRunsDeps {
  catalogue: Catalogue;
  /** Asks models, and tells the carbon intensity of the hour. */
  upstream: UpstreamDeps & ImpactDeps;
  web: WebDeps;
  search: SearchSettings;
  documents: DocumentReader;
  documentConversionEnabled: boolean;
  fileExportEnabled: boolean;
  linkSecret: string;
  patienceMilliseconds: number;
  /** Asks a decision model about claims. */
  judge(model: Model, log: Log): Judge;
  proofThreshold: number;
}

/** What the `error` event of a run without a model says. */
const modelGone = 'The model of the run is not offered any more.';

interface ToolModels {
  visionModel: Model | undefined;
  speechModel: Model | undefined;
  embeddingModel: Model | undefined;
}

/** The tools whose work a model does. */
const modelOfTool: Readonly<Record<string, keyof ToolModels>> = {
  vision: 'visionModel',
  audio_transcribe: 'speechModel',
};

/** A tool whose model is missing would answer every call with an error. */
const hasModel = (tool: string, models: ToolModels): boolean => {
  const role = modelOfTool[tool];
  return role === undefined || models[role] !== undefined;
};

/** The models of tools that the run's key may use. Without one, its tool is not offered, or finds passages by words. */
function modelsOf<M extends ToolModels>({ models }: RunRecord, all: M): M {
  const allowed = (model: Model | undefined) =>
    !models || (model && models.includes(model.id)) ? model : undefined;
  return {
    ...all,
    visionModel: allowed(all.visionModel),
    speechModel: allowed(all.speechModel),
    embeddingModel: allowed(all.embeddingModel),
  };
}

/** The model that was chosen at the creation; the service's own for a run of an earlier release. */
function reasoningOf(catalogue: Catalogue, { model: id }: RunRecord): Model | undefined {
  const model = id === undefined ? roleModel(catalogue, 'reasoning') : findModel(catalogue, id)?.model;
  return model?.capabilities.tools ? model : undefined;
}

/** Undefined for a run without proof, or if no model can give it any more. */
function proofOf(deps: MakeAgentDeps, run: RunRecord, { log, calls }: { log: Log; calls: PaidCalls }) {
  const model = run.proof ? judgeOf(deps, run) : undefined;
  return model && claimProver({ log, calls }, deps.judge(model, log), deps.proofThreshold);
}

/** The decision model, if the run's key may use it. */
function judgeOf({ catalogue }: MakeAgentDeps, { models }: RunRecord): Model | undefined {
  const model = roleModel(catalogue, 'decision');
  return model && (!models || models.includes(model.id)) ? model : undefined;
}

/** Without a model that may judge, `auto` asks the caller about each call. */
function approvingOf(
  deps: MakeAgentDeps,
  run: RunRecord,
  { agent }: RunInput,
  paid: { log: Log; calls: PaidCalls },
): Approving | undefined {
  const approve = readApprove(agent);
  if (!approve) return undefined;
  const { isJudged, ...rules } = approve;
  const model = isJudged ? judgeOf(deps, run) : undefined;
  const threshold = agent.approveThreshold ?? limits.approveThreshold;
  return {
    ...rules,
    isRefused: agent.isSubRun,
    judge: model && claimProver(paid, deps.judge(model, paid.log), threshold),
  };
}

/** Gives the agent its models, the web, and the data that is stored for its account and run. */
export function agentMaker(deps: MakeAgentDeps): MakeAgent {
  const { catalogue, upstream } = deps;
  const models = {
    carbonIntensity: upstream.carbonIntensity,
    visionModel: roleModel(catalogue, 'vision'),
    speechModel: roleModel(catalogue, 'speech'),
    embeddingModel: roleModel(catalogue, 'embedding'),
  };
  const search = createSearch(deps.search);
  return (run, input, authorizations): AgentDeps | { problem: string } => {
    // Creation refuses such a model, so the run was created under an earlier catalogue.
    const reasoning = reasoningOf(catalogue, run);
    if (!reasoning) return { problem: modelGone };
    const meter = createFetchMeter();
    const log = deps.log.with({ agentId: run.agentId, requestId: input.requestId });
    const logged = { ...upstream, log };
    const { spans } = deps.accounts;
    const traceparent = spans?.propagates ? writeTraceparent(contextOfRun(run)) : undefined;
    const spending = runSpending(deps.accounts, run);
    const calls = paidCalls(spending, traceparent);
    const subRuns = hasSubRuns(run) ? subRunsOf(deps, { run, input, authorizations }, spending) : undefined;
    const proof = proofOf(deps, run, { log, calls });
    const readers = { ...deps, ...modelsOf(run, models), upstream: logged, calls };
    const web = { ...deps.web, meter, owner: run.payer.accountId };
    const memory = accountValues(deps, { accountId: run.payer.accountId, agentId: run.agentId });
    const material = runMaterial(deps.files, run.agentId);
    const servers = joinServers(catalogue, run, input.servers ?? [], authorizations);
    const tools = agentTools({
      ...makeReaders({ ...readers, web }, input),
      log,
      calls,
      web,
      material,
      embedder: makeEmbedder(readers),
      search,
      documents: deps.documents,
      documentConversionEnabled: deps.documentConversionEnabled,
      memory,
      upload: input.agent.attachment,
      ...(deps.fileExportEnabled && {
        fileExport: {
          save: (name, content, afterBytes) =>
            saveFile(deps, { agentId: run.agentId, name, content, afterBytes }, input.origin),
        },
      }),
    });
    return {
      clock: deps.clock,
      log,
      notesFinishReasons: spans !== undefined,
      patienceMilliseconds: deps.patienceMilliseconds,
      reasoning: reasoningModel(logged, reasoning, threadOf(run)),
      readers: makeReaders({ ...readers, retries: { longestWaitMilliseconds } }, input),
      calls,
      material,
      owner: run.payer.accountId,
      proof,
      memory,
      meter,
      ...(servers.length > 0 && {
        brought: remoteTools(
          {
            web,
            runId: run.agentId,
            log,
            kept: keptTools(deps, run.agentId),
            contextTokens: contextOf(reasoning),
          },
          servers.map((server) => ({ ...server, traceparent })),
        ),
      }),
      tools: [
        ...allowedTools(tools, input.agent.tools).filter(
          ({ name }) => hasModel(name, readers) && !(input.agent.isSubRun && name === 'request_input'),
        ),
        ...(subRuns ? [investigate()] : []),
        ...(input.agent.functions ?? []).map(callersFunction),
      ],
      subRuns,
      approving: approvingOf(deps, run, input, { log, calls }),
      shapeOpening: (messages) => shapeOpening(input, messages),
    };
  };
}

/** Adds the instructions of the run's agent to the system prompt, then those of its skill. */
function shapeOpening(
  { definedBy, skill }: RunInput,
  messages: ConversationMessage[],
): ConversationMessage[] {
  const blocks = [definedBy && instructionsBlock(definedBy.definition.instructions), skill?.block];
  return blocks.reduce<ConversationMessage[]>(
    (shaped, block) => (block ? (injectSkill(shaped, { block }) as ConversationMessage[]) : shaped),
    messages,
  );
}

/** The longest wait that a run's worker sits out. For longer ones the run is given back. */
const longestWaitMilliseconds = 2_000;

/** The catalogue's reasoning model as the agent calls it. The upstream client retries. */
const reasoningModel = (
  upstream: UpstreamDeps & ImpactDeps,
  model: Model,
  thread: string,
): ReasoningModel => ({
  id: model.id,
  contextTokens: contextOf(model),
  mostOutputTokens: model.maxOutputTokens,
  thinkingTokens: () => thinkingTokens(model),
  noteThinking: (completion, limit) => noteThinking(upstream, model, completion, limit),
  price: () => priceAt(model, upstream.clock()),
  impact: (work) => measureImpact(upstream, model, work),
  complete: ({ response_format, ...request }, options) =>
    completeChat(
      upstream,
      model,
      {
        ...model.runs?.parameters,
        ...request,
        ...(model.capabilities.structuredOutput && response_format && { response_format }),
      },
      { ...options, longestWaitMilliseconds, cacheKey: cacheKeyOf(thread), mayLeaveOutFormat: true },
    ),
});

/** Tells the requests of a chain of runs from others. Providers are not told a run's id. OpenAI takes at most 64 characters. */
const cacheKeyOf = (thread: string): string => sha256Hex(`prompt cache of ${thread}`).slice(0, 32);
