import type { Attachment } from '@errand/agent';
import { type Cost, releaseReservation } from '@errand/money';
import type { Upload } from '@errand/uploads';
import { type AcceptedRun, acceptRun } from './accept-run.ts';
import { chooseJudge, chooseModel } from './choose-model.ts';
import { chooseServers } from './choose-servers.ts';
import { capOf } from './first-completion.ts';
import type { CreateRunDeps, PreparedRun, Requester } from './prepare-run.ts';

/** The file and what was read from it, before the run is accepted. */
export interface ReadFile {
  agentId: string;
  upload?: Upload;
  attachment?: Attachment;
  owed?: Cost;
}

/** Accepts a run of what the request says and of what was read. What is set aside is given back if another run was accepted. */
export async function acceptRequest(
  deps: CreateRunDeps,
  { principal, credits, requestId, origin }: Requester,
  { request, skill, idempotency }: PreparedRun,
  { agentId, upload, attachment, owed }: ReadFile,
): Promise<AcceptedRun> {
  const { body } = request;
  const { question, documentUrl, audioUrl, metadata, skills, uploadId, tools, maxCredits, ...others } = body;
  const { model, proof, webhookUrl, mcp: _, ...unused } = others;
  unused satisfies Record<string, never>;
  const chosen = chooseModel(deps, body);
  const maxNanoEuro = capOf(deps, body);
  const chosenServers = chooseServers(deps, principal, body);
  const accepted = await acceptRun(deps, {
    agentId,
    principal,
    credits,
    agent: {
      question,
      documentUrl,
      audioUrl,
      attachment,
      tools,
    },
    skill,
    metadata,
    origin,
    requestId,
    uploadKey: upload?.key,
    uploadTaken: upload?.taken && upload.taken,
    idempotency,
    maxNanoEuro,
    owed,
    model: chosen?.id,
    ...(chooseJudge(deps, principal, body) && { proof: true }),
    webhookUrl,
    chosenServers,
  });
  if (accepted.agentId !== agentId) await releaseReservation(deps, credits.reservation);
  return accepted;
}
