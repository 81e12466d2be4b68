import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { MiddlewareStack, SerializeHandler } from '@smithy/types';

/** A command as it leaves the SDK. It throws to keep it from being sent. */
type OnCommand = (client: string, command: string, input: object) => void;

/** Called with what a presigned command became. */
type OnPresigned = (client: string, command: string, url: { query?: Record<string, unknown> }) => void;

interface Resolving {
  middlewareStack: MiddlewareStack<object, object>;
  resolveMiddlewareWithContext(...given: unknown[]): unknown;
}

interface Named {
  clientName: string;
  commandName: string;
}

/**
 * Tells of each command of every AWS client in this process, those of mocked clients apart. It stands after marshalling
 * and before retries, and presigned links pass it too.
 */
export function watchCommands(onCommand: OnCommand, onPresigned: OnPresigned): void {
  const base = commandBase();
  const resolve = base.resolveMiddlewareWithContext;
  base.resolveMiddlewareWithContext = function (this: Resolving, ...given) {
    const { clientName, commandName } = given[3] as Named;
    const command = commandName.replace(/Command$/, '');
    this.middlewareStack.addRelativeTo(
      (next: SerializeHandler<object, object>): SerializeHandler<object, object> =>
        async (args) => {
          onCommand(clientName, command, args.input);
          const result = await next(args);
          const { presigned } = result.output as { presigned?: { query?: Record<string, unknown> } };
          if (presigned) onPresigned(clientName, command, presigned);
          return result;
        },
      { relation: 'before', toMiddleware: 'serializerMiddleware', name: 'awsRules', override: true },
    );
    return resolve.apply(this, given);
  };
}

/** The prototype that all commands of all clients share. */
function commandBase(): Resolving {
  let base = GetItemCommand.prototype;
  while (!Object.hasOwn(base, 'resolveMiddlewareWithContext')) base = Object.getPrototypeOf(base);
  return base as unknown as Resolving;
}
