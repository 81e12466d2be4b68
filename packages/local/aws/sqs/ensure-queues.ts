import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

interface QueueDefinition {
  queue: string;
  deadLetterQueue: string;
  /** A message that was received so often without being deleted becomes a dead letter. */
  maxReceiveCount: number;
  visibilityTimeoutSeconds: number;
}

export interface EnsuredQueues {
  queueUrl: string;
  deadLetterQueueUrl: string;
  arns: { queue: string; deadLetterQueue: string };
}

/** Makes the two queues if they are missing, and gives them the definition's attributes if they exist. */
export async function ensureQueues(sqs: SQSClient, definition: QueueDefinition): Promise<EnsuredQueues> {
  const visibility = { VisibilityTimeout: String(definition.visibilityTimeoutSeconds) };
  const deadLetters = await ensureQueue(sqs, definition.deadLetterQueue, visibility);
  const redrive = { deadLetterTargetArn: deadLetters.arn, maxReceiveCount: definition.maxReceiveCount };
  const queue = await ensureQueue(sqs, definition.queue, {
    ...visibility,
    RedrivePolicy: JSON.stringify(redrive),
  });
  return {
    queueUrl: queue.url,
    deadLetterQueueUrl: deadLetters.url,
    arns: { queue: queue.arn, deadLetterQueue: deadLetters.arn },
  };
}

/** Makes a queue if it is missing, and gives it these attributes if it exists. */
export async function ensureQueue(
  sqs: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<{ url: string; arn: string }> {
  const url = await createOrChange(sqs, QueueName, Attributes);
  const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] });
  const arn = (await sqs.send(command)).Attributes?.QueueArn;
  if (!arn) throw new Error(`the queue ${QueueName} has no ARN`);
  return { url, arn };
}

async function createOrChange(
  sqs: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<string> {
  try {
    return (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl!;
  } catch (error) {
    if (!isNameTaken(error)) throw error;
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
    return QueueUrl!;
  }
}

/** Servers differ: the error's name has a prefix or none, and the older protocol has another name. */
function isNameTaken(error: unknown): boolean {
  return error instanceof Error && /(^|\.)Queue(NameExists|AlreadyExists)$/.test(error.name);
}
