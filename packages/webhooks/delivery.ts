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
  /** The address that the run named. Absent: the endpoint's address at the time of the attempt. */
  url?: string;
  status: (typeof deliveryStatuses)[number];
  attempts: number;
  createdAt: string;
  /** When the present series of attempts began, and how many attempts came before it: the pauses grow from here. */
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
