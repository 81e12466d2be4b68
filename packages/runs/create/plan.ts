import { checkModels, mayUseModel } from '@errand/accounts';
import type { ResolvedAgent } from '@errand/agents';
import { type Catalogue, findModel, type Model, roleModel, unknownModel, writesText } from '@errand/models';
import { type CostBound, nothingYet, parseEuro } from '@errand/money';
import { fieldIssue, type Principal, refusalWords } from '@errand/platform';
import { type Precondition, type ResolvedSkill, resolveSkill } from '@errand/skills';
import type { Upload } from '@errand/uploads';
import { requireEndpoint } from '@errand/webhooks';
import type { CreateRunDeps } from '../deps.ts';
import type { CreateRunBody, RunBody } from '../schema.ts';
import type { IdempotencyClaim } from '../writes.ts';
import { carryUnread } from './carry-unread.ts';
import { checkApprove, checkFunctions } from './check-calls.ts';
import { bodyBy, chooseAgent, inWordsOfAgent, skillNamedBy } from './choose-agent.ts';
import { type ChosenServers, chooseServers } from './choose-servers.ts';
import { boundFirstCompletion } from './first-completion.ts';
import { type FollowedRun, readFollowed } from './follow.ts';
import { type CreatedRun, claimOf, findRepeated } from './idempotency.ts';
import { hasFile, type RunRequest } from './request.ts';

/** A request that is known to be right, with everything that is decided about its run: nothing later decides it again. */
export interface RunPlan {
  request: RunRequest<RunBody>;
  /** The run that it goes on from. */
  followed?: FollowedRun;
  idempotency?: IdempotencyClaim;
  /** The stored agent that the run is by. */
  agent?: ResolvedAgent;
  skill?: ResolvedSkill;
  /** The model that works on the question. Undefined if the service has none. */
  model?: Model;
  /** The model that checks the claims of the answer. Undefined if they are not checked. */
  judge?: Model;
  servers?: ChosenServers;
  /** The most that the run may cost. */
  maxNanoEuro?: number;
}

/**
 * `bound` is to be set aside when the request is let in. Absent for a request with a file: the file is read first.
 */
type Planned = { bound: CostBound } & (
  | { plan: RunPlan; repeated?: never }
  /** The run of an earlier request that this one repeats. */
  | { plan?: never; repeated: CreatedRun }
);

interface Asking {
  principal: Principal;
  idempotencyKey: string | undefined;
  /** What the agent must be, or the skill of a request that names none. */
  precondition: Precondition;
  /** Called as soon as the agent is chosen, like `onSkill`. */
  onAgent(agent: ResolvedAgent | undefined): void;
  /** Called as soon as the skill is resolved, for what is answered if the request fails after that. */
  onSkill(skill: ResolvedSkill | undefined): void;
}

/** Looks up whether the request repeats another, and decides everything about the run of one that does not. */
export async function planRun(deps: CreateRunDeps, given: RunRequest, asking: Asking): Promise<Planned> {
  const { principal, precondition } = asking;
  const idempotency = claimOf(asking.idempotencyKey, given.text);
  const repeated = idempotency && (await findRepeated(deps, principal, idempotency));
  if (repeated) return { repeated, bound: nothingYet };
  const { request: asked, followed } = await readFollowed(deps, principal, given);
  const request = followed ? carryUnread(deps, asked, followed) : asked;
  const agent = await chooseAgent(deps, principal, given.body, { followed, precondition });
  asking.onAgent(agent);
  const known = { request, followed, idempotency, agent };
  if (!agent) return planAsked(deps, known, asking);
  try {
    const body = bodyBy(agent, given.body, request.body);
    const rules = [agent.definition, { ...body, approve: given.body.approve }];
    const namedBy = skillNamedBy(agent, given.body);
    return await planAsked(deps, { ...known, request: { ...request, body } }, asking, { rules, namedBy });
  } catch (error) {
    throw inWordsOfAgent(agent, given.body, error);
  }
}

interface SaidByAgent {
  /** Whose calls need approval, with the servers that they name. */
  rules: readonly Pick<CreateRunBody, 'approve' | 'mcp'>[];
  /** The owner of the agent that says the skill. */
  namedBy?: string;
}

/** Decides everything about a run whose body says all of it. */
async function planAsked(
  deps: CreateRunDeps,
  known: Pick<RunPlan, 'request' | 'followed' | 'idempotency' | 'agent'>,
  { principal, precondition, onSkill }: Asking,
  { rules, namedBy }: SaidByAgent = { rules: [known.request.body] },
): Promise<Planned> {
  const { body, upload } = known.request;
  checkFunctions(body);
  for (const each of rules) checkApprove(deps, principal, each);
  const { webhookUrl } = body;
  if (webhookUrl !== undefined) await requireEndpoint(deps, principal, 'webhookUrl', webhookUrl);
  const servers = chooseServers(deps, principal, body);
  const means = known.agent && body.agent !== undefined ? {} : precondition;
  const skill = await resolveSkill(deps.skills, principal, body.skills, means, namedBy);
  onSkill(skill);
  const model = chooseModel(deps.catalogue, principal, body);
  const judge = chooseJudge(deps, principal, body);
  const plan = { ...known, skill, model, judge, servers, maxNanoEuro: capOf(deps, body) };
  requireModels(deps, principal, plan, upload);
  const bound = hasFile(known.request) ? nothingYet : await boundFirstCompletion(deps, plan);
  return { plan, bound };
}

/** Throws what the creation of a run with this body would be refused with at present, its costs apart. */
export async function checkRunBody(
  deps: CreateRunDeps,
  principal: Principal,
  body: CreateRunBody,
): Promise<void> {
  const asking = { principal, idempotencyKey: undefined, precondition: {}, onAgent() {}, onSkill() {} };
  await planRun(deps, { body, text: '' }, asking);
}

/** Throws if the key may not use the models that the run is known to need. */
export function requireModels(
  { attachments, speechModel }: CreateRunDeps,
  principal: Principal,
  { request: { body }, model, judge }: RunPlan,
  upload: Upload | undefined,
): void {
  const kind = upload?.kind.kind;
  const needed = [
    model,
    judge,
    kind === 'image' ? attachments.vision.visionModel : undefined,
    kind === 'recording' || body.audioUrl !== undefined ? speechModel : undefined,
  ];
  checkModels(
    principal,
    needed.flatMap((each) => each?.id ?? []),
  );
}

/**
 * The model that works on the question: the one that the creation names, or the service's own. Undefined if there is none.
 * Throws `invalid_request` for a model that cannot work on runs.
 */
function chooseModel(
  catalogue: Catalogue,
  principal: Principal,
  { model: id }: CreateRunBody,
): Model | undefined {
  if (id !== undefined) return namedModel(catalogue, principal, id);
  const own = roleModel(catalogue, 'reasoning');
  if (own && !own.capabilities.tools)
    throw fieldIssue('model', `is required: ${own.id}, which works on runs here, takes no tools`);
  return own;
}

function namedModel(catalogue: Catalogue, principal: Principal, id: string): Model {
  const found = findModel(catalogue, id);
  if (!found) {
    const refusal = unknownModel(
      catalogue,
      id,
      (model, each) => each === model.id && writesText(model.kind) && mayUseModel(principal, each),
    );
    throw fieldIssue('model', refusalWords.model_not_found(refusal.details));
  }
  const { model, compressed } = found;
  if (compressed) throw fieldIssue('model', `is a compressed variant: name ${model.id}`);
  if (!writesText(model.kind))
    throw fieldIssue('model', `must be a chat or vision model: ${model.id} is a ${model.kind} model`);
  if (!model.capabilities.tools) throw fieldIssue('model', `must take tools: ${model.id} takes none`);
  return model;
}

/**
 * The model that checks the claims of the run; undefined if they are not checked. Throws `invalid_request` if the
 * creation asks for what the service does not have. If the proof is the deployment's default, a key that may not
 * use the model gets no proof.
 */
export function chooseJudge(
  { catalogue, runProof }: Pick<CreateRunDeps, 'catalogue' | 'runProof'>,
  principal: Principal,
  { proof, effort }: CreateRunBody,
): Model | undefined {
  const judge = roleModel(catalogue, 'decision');
  if (proof && !judge) throw fieldIssue('proof', 'needs a decision model, and this service has none');
  if (proof !== undefined) return proof ? judge : undefined;
  return runProof && effort !== 'low' && judge && mayUseModel(principal, judge.id) ? judge : undefined;
}

/** The most that a run may cost: what its creation says, or the default of the deployment. */
const capOf = (
  { runMaxCredits }: Pick<CreateRunDeps, 'runMaxCredits'>,
  { maxCredits = runMaxCredits }: CreateRunBody,
): number | undefined => (maxCredits === undefined ? undefined : parseEuro(maxCredits));
