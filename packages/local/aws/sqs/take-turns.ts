import { AsyncLocalStorage } from 'node:async_hooks';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { buildApp } from 'fauxqs';

type App = ReturnType<typeof buildApp>;
type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;
type SqsStore = Stores['sqsStore'];
export type Queue = ReturnType<SqsStore['createQueue']>;
type Messages = Queue['messages'];
type Message = Messages[number];

/** The groups of the messages that are being sent. fauxqs 1.9 drops the group of a message to a standard queue. */
const sentGroup = new AsyncLocalStorage<string | undefined>();

/** The store of a server whose queues give messages by turns of their groups, as the fair queues of SQS do. */
export async function fairStore(): Promise<{ stores: Stores; queues: readonly Queue[] }> {
  // fauxqs exports neither its store nor a way to it.
  const package_ = findPackageJSON('fauxqs', import.meta.url) ?? '';
  const file = path.join(path.dirname(package_), 'dist/sqs/sqsStore.js');
  const { SqsStore } = (await import(pathToFileURL(file).href)) as { SqsStore: new () => SqsStore };
  const store = new SqsStore();
  const queues: Queue[] = [];
  const createQueue = store.createQueue.bind(store);
  store.createQueue = (...definition) => {
    const queue = createQueue(...definition);
    const enqueue = queue.enqueue.bind(queue);
    queue.messages = createTurns() as Messages;
    queue.enqueue = (message) => {
      const group = sentGroup.getStore();
      if (group !== undefined) message.messageGroupId = group;
      enqueue(message);
    };
    queues.push(queue);
    return queue;
  };
  return { stores: { sqsStore: store } as Stores, queues };
}

/** Remembers the group of a message while the message is being sent. */
export function keepGroups(app: App): void {
  app.addHook('preHandler', (request, _reply, done) => {
    const { MessageGroupId } = (request.body ?? {}) as { MessageGroupId?: string };
    sentGroup.run(MessageGroupId, done);
  });
}

/** The part of a list that a queue uses. It gives the oldest message of each group in turn, each in constant time. */
function createTurns(): Pick<Message[], 'push' | 'shift' | 'length'> {
  // A group whose turn is over goes behind the others.
  const groups = new Map<string, Message[]>();
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(...messages) {
      for (const message of messages) {
        const group = message.messageGroupId ?? '';
        const waiting = groups.get(group);
        if (waiting) waiting.push(message);
        else groups.set(group, [message]);
      }
      length += messages.length;
      return length;
    },
    shift() {
      for (const [group, messages] of groups) {
        const message = messages.shift();
        groups.delete(group);
        if (messages.length > 0) groups.set(group, messages);
        length--;
        return message;
      }
      return undefined;
    },
  };
}
