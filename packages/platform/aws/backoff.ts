import { randomInt } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { delay } from '../clock.ts';

export type Wait = (milliseconds: number) => Promise<void>;

/** What writes and reads that are asked for again take. */
export interface RetryingDeps {
  dynamodb: DynamoDBDocumentClient;
  /** Replaced in tests that hold the time. */
  wait?: Wait;
}

const baseMilliseconds = 20;
const mostMilliseconds = 1_000;

/** Waits before the attempt after this one (from 1): exponential, with full jitter. */
export const backOff = ({ wait = delay }: { wait?: Wait }, attempt: number): Promise<void> =>
  wait(randomInt(Math.min(mostMilliseconds, baseMilliseconds * 2 ** attempt)));
