import { toIso } from '@errand/platform';

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

/** A message on its way to one address. */
export interface Delivery {
  /** The message's id, and `-run` after it for the address of a run. */
  id: string;
  messageId: string;
  endpointId: string;
  accountId: string;
  keyId: string;
  type: string;
  body: string;
  /** The address of the run. Absent: the endpoint's own as it is then. */
  url?: string;
  status: (typeof deliveryStatuses)[number];
  attempts: number;
  createdAt: string;
  /** The beginning of its attempts, and how many it had before: the pauses grow from here. */
  startedAtMilliseconds: number;
  attemptsBefore: number;
  lastAttemptAt?: string;
  nextAttemptMilliseconds?: number;
  /** The last answer: its status, and the first kilobyte of its body. */
  answer?: { status: number; body: string };
  /** Why there was no answer at the last attempt, or no further attempt. */
  error?: string;
}

/** The delivery as the API shows it. */
export function viewDelivery(delivery: Delivery) {
  const { id, type, status, attempts, createdAt, lastAttemptAt, answer, error, url } = delivery;
  const { nextAttemptMilliseconds: next } = delivery;
  return {
    id,
    type,
    status,
    attempts,
    url,
    createdAt,
    lastAttemptAt,
    ...(status === 'pending' && next !== undefined && { nextAttemptAt: toIso(next) }),
    response: answer,
    error,
  };
}
