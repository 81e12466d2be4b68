import { type AccountsDeps, checkModels } from '@errand/accounts';
import type { Catalogue, Model } from '@errand/models';
import { type CostBound, type Credits, nothingYet } from '@errand/money';
import type { Principal } from '@errand/platform';
import { type ResolvedSkill, resolveSkill, type SkillsDeps } from '@errand/skills';
import type { Upload, UploadDeps } from '@errand/uploads';
import type { WebDeps } from '@errand/web';
import { requireEndpoint } from '@errand/webhooks';
import type { AttachmentDeps, RunsDeps } from '../deps.ts';
import type { CreateRunBody } from '../schema.ts';
import type { IdempotencyClaim } from '../writes.ts';
import { type AcceptedRun, claimOf, findRepeated } from './accept-run.ts';
import { chooseJudge, chooseModel } from './choose-model.ts';
import { chooseServers } from './choose-servers.ts';
import { boundFirstCompletion, capOf, together, withinCreationCap } from './first-completion.ts';

/** A request for a run, whether it came as JSON or as a form. */
export interface RunRequest {
  body: CreateRunBody;
  /** A text of the request. Two requests have the same text exactly if one repeats the other. */
  text: string;
  /** The file that came with a form. */
  upload?: Upload;
}

/** A request that is known to be right. */
export interface PreparedRun {
  request: RunRequest;
  idempotency?: IdempotencyClaim;
  /** The run of an earlier request that this one repeats. */
  repeated?: AcceptedRun;
  skill?: ResolvedSkill;
  /** What is to be set aside when the request is let in. Nothing if it has a file: that is read first. */
  bound: CostBound;
}

export interface Requester {
  principal: Principal;
  credits: Credits;
  requestId: string;
  origin: string;
  /** Aborts when the client goes away, and with `stopping` when the process ends. */
  signal: AbortSignal;
}

export interface CreateRunDeps extends RunsDeps, UploadDeps, AttachmentDeps {
  accounts: AccountsDeps;
  skills: SkillsDeps;
  catalogue: Catalogue;
  /** The hosts on private networks that may be told of the end of a run, or have tools for it. */
  web: Pick<WebDeps, 'allowedHosts'>;
  runProof: boolean;
  /** Absent if no model has the role. */
  speechModel?: Model;
  /** The cap of a run that has none of its own, as a decimal of EUR. */
  runMaxCredits?: string;
}

interface Asking {
  principal: Principal;
  idempotencyKey: string | undefined;
  /** Called as soon as the skill is resolved, for what is answered if the request fails after that. */
  onSkill(skill: ResolvedSkill | undefined): void;
}

/** Looks up whether the request repeats another, resolves its skill, and says what its first completion may cost. */
export async function prepareRun(
  deps: CreateRunDeps,
  request: RunRequest,
  { principal, idempotencyKey, onSkill }: Asking,
): Promise<PreparedRun> {
  const idempotency = claimOf(idempotencyKey, request.text);
  const known = { request, idempotency };
  const repeated = idempotency && (await findRepeated(deps, principal, idempotency));
  if (repeated) return { ...known, repeated, bound: nothingYet };
  const { body, upload } = request;
  const { webhookUrl } = body;
  if (webhookUrl !== undefined) await requireEndpoint(deps, principal, 'webhookUrl', webhookUrl);
  chooseServers(deps, principal, body);
  const skill = await resolveSkill(deps.skills, principal, body.skills);
  onSkill(skill);
  checkModels(principal, modelsFor(deps, principal, request));
  const hasFile = upload !== undefined || body.uploadId !== undefined;
  const bound = hasFile ? nothingYet : await firstCompletion(deps, body, { skill });
  return { ...known, skill, bound };
}

/** The models that the run is known to need. */
export function modelsFor(deps: CreateRunDeps, principal: Principal, { body, upload }: RunRequest): string[] {
  const kind = upload?.kind.kind;
  const { visionModel } = deps.attachments.vision;
  const needed = [
    chooseModel(deps, body),
    chooseJudge(deps, principal, body),
    kind === 'image' ? visionModel : undefined,
    kind === 'recording' || body.audioUrl !== undefined ? deps.speechModel : undefined,
  ];
  return needed.flatMap((model) => model?.id ?? []);
}

/** What the run's first completion may cost at most, within the run's cap. `material` is the text of its file, `before` what its file costs before. */
export async function firstCompletion(
  deps: CreateRunDeps,
  body: CreateRunBody,
  { skill, material = '' }: { skill: ResolvedSkill | undefined; material?: string },
  before?: CostBound,
): Promise<CostBound> {
  const model = chooseModel(deps, body);
  if (!model) return nothingYet;
  const bound = boundFirstCompletion(deps, model, body, { skill, material });
  return withinCreationCap(before ? together(before, bound) : bound, capOf(deps, body));
}
