import type { Message } from '@aws-sdk/client-sqs';

/** A message as Lambda gives it to a function. */
export interface SqsRecord {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  messageAttributes: Record<string, { stringValue?: string; binaryValue?: string; dataType: string }>;
  md5OfBody: string;
  eventSource: 'aws:sqs';
  eventSourceARN: string;
  awsRegion: string;
}

interface SqsEvent {
  Records: SqsRecord[];
}

interface SqsBatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

export type SqsHandler = (event: SqsEvent) => Promise<SqsBatchResponse>;

/** Whoever polls a queue itself knows it, and needs no ARN. */
export function toSqsRecord(message: Message, queueArn = ''): SqsRecord {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(([name, attribute]) => [
    name,
    {
      stringValue: attribute.StringValue,
      binaryValue: attribute.BinaryValue && Buffer.from(attribute.BinaryValue).toString('base64'),
      dataType: attribute.DataType ?? 'String',
    },
  ]);
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: { ...message.Attributes },
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  };
}

/** A batch has one record, so any identifier fails it. On Lambda, too, an unknown identifier fails the whole batch. */
export function isHandled(response: SqsBatchResponse | null | undefined): boolean {
  return (response?.batchItemFailures ?? []).length === 0;
}
