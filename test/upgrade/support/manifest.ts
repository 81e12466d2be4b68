import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunEvent } from '../../support/service.ts';
import type { EntryView, RunView } from './caller.ts';

export interface HeldAccount {
  accountId: string;
  key: string;
}

/** A run that was finished before the upgrade, as its caller saw it. */
export interface FinishedRun {
  run: RunView;
  events: RunEvent[];
}

/** A run that was not. */
export interface OpenRun {
  agentId: string;
  key: string;
  /** The events that a reader may have seen. */
  events: RunEvent[];
  /** What it had cost, as a decimal of EUR. */
  credits: string;
}

export interface HeldSkill {
  id: string;
  name: string;
  scope: string;
  enabled: boolean;
  version: number | null;
  /** The instructions by version; those of a skill without versions under 0. */
  instructions: Record<string, string>;
}

/** An account that works with a stored agent. */
export interface HeldAgents extends HeldAccount {
  agent: { name: string; instructions: Record<string, string> };
  /** By its first version. */
  investigated: FinishedRun;
  subRuns: FinishedRun[];
  /** It waits for one of its two sub-runs. */
  divided: OpenRun;
  /** It has `started` a run, and is due once more. */
  schedule: { id: string; asked: object; dueAt: string; started: string };
}

/** What callers were told by the release that made the fixture, and what must still be so after an upgrade. */
export interface Manifest {
  release: string;
  /** When the service was killed, as ISO 8601. */
  at: string;
  /** The account and key that the first start made. It pays for the open runs, except the one that waits. */
  first: HeldAccount;
  /** Its key was refused when the service was killed. */
  frozen: HeldAccount;
  /** Its work was over, apart from one charge that was not yet in the ledger. */
  settled: HeldAccount & {
    secondKey: string;
    revokedKey: string;
    balanceBeforeKeptCharge: string;
    keptCharge: string;
    entries: EntryView[];
    runs: Record<'finished' | 'failed' | 'awaiting' | 'recording' | 'picture', FinishedRun>;
    idempotency: { key: string; body: object; agentId: string };
    values: Record<string, string>;
    savedFile: { url: string; content: string };
    upload: { uploadId: string; url: string; headers: Record<string, string> };
    skills: HeldSkill[];
    /** Absent in fixtures of releases that had neither, or were not asked for them. */
    later?: {
      webhook: { id: string; url: string; events: string[] };
      response: { id: string; output: object[] };
    };
  };
  /** An account of an organisation whose subscription pays. */
  covered: HeldAccount & {
    organisationId: string;
    metered: string;
    entries: EntryView[];
    skills: HeldSkill[];
  };
  open: Record<'queued' | 'running' | 'image' | 'waiting', OpenRun>;
  /** Absent in fixtures of releases that had none. */
  agents?: HeldAgents;
  /** The skill that the queued run was created with. */
  queuedSkill: { instructions: string };
}

/** Where the fixtures are. `go-back.ts` names another folder, with what today's code has stored. */
const folder = process.env.UPGRADE_FIXTURES ?? path.resolve(import.meta.dirname, '../fixtures');

export const fixtureFolder = (release: string): string => path.join(folder, release);
export const manifestFile = (release: string): string => path.join(fixtureFolder(release), 'manifest.json');
export const dataFile = (release: string): string => path.join(fixtureFolder(release), 'data-folder.tar.gz');

export const releases: readonly string[] = readdirSync(folder).toSorted();

export const readManifest = (release: string): Manifest =>
  JSON.parse(readFileSync(manifestFile(release), 'utf8')) as Manifest;
