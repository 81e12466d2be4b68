import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { connect, type Hooks } from './connect.ts';
import type { Deps, TestedKind } from './kinds.ts';
import type { NamedService } from './support.ts';

type Row = { owner: string; name: string };

export interface Process extends Deps {
  /** The DynamoDB requests that `work` takes in this process. */
  count(work: () => Promise<unknown>): Promise<number>;
}

/** Another process of the service, with nothing in its memory. */
export function startProcess(service: NamedService, hooks: Hooks = {}): Process {
  let sent = 0;
  const before: Hooks['before'] = (index, command, input) => {
    sent++;
    return hooks.before?.(index, command, input);
  };
  return {
    ...service.deps,
    wait: async () => {},
    dynamodb: connect(service.dynamo, { ...hooks, before }),
    async count(work) {
      const start = sent;
      await work();
      return sent - start;
    },
  };
}

const remove = ({ dynamodb, tables }: Deps, pk: string, sk: string) =>
  dynamodb.send(new DeleteCommand({ TableName: tables.skills, Key: { pk, sk } }));

/** Leaves a thing as releases wrote it that kept no copy of the current content beside the name. */
export const removeCopy = ({ keys }: TestedKind, deps: Deps, { owner, name }: Row) =>
  remove(deps, owner, `${keys.owned}current#${name}`);

export const removeContent = ({ noun }: TestedKind, deps: Deps, id: string, number: number) =>
  remove(deps, `${noun}#${id}`, `content#${String(number).padStart(12, '0')}`);
