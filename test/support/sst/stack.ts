import { readFile } from 'node:fs/promises';
import type { Settings } from '../../../infra/settings.ts';
import { hasPlatform } from '../../../scripts/install-sst.ts';
import { builds } from '../builds/index.ts';
import type { EvaluatedStack, EvaluationOptions } from './evaluate.ts';
import type { Resource } from './made-up-cloud.ts';

/** The platform is installed by `npm run sst:install`, which needs npm's registry. */
export const canEvaluate = hasPlatform();

if (!canEvaluate)
  console.warn("SST's platform is not installed, so the stack is not tested: run `npm run sst:install`.");

/** The longest that an evaluation may take on a busy machine. */
export const evaluationMilliseconds = 240_000;

export interface Stack extends EvaluatedStack {
  of(type: string): Resource[];
  /** The resource of this type and name; throws unless there is exactly one. */
  one(type: string, name: string | RegExp): Resource;
}

interface StackOptions extends EvaluationOptions {
  changes?: Partial<Settings>;
}

/** A stage of the stack, with other settings if given. Rejects with what the evaluation complained about. */
export async function evaluate(stage: string, options: StackOptions = {}): Promise<Stack> {
  const file = await builds.stack(stage, options);
  return withLookups(JSON.parse(await readFile(file, 'utf8')) as EvaluatedStack);
}

function withLookups(stack: EvaluatedStack): Stack {
  const of = (type: string) => stack.resources.filter((resource) => resource.type === type);
  return {
    ...stack,
    of,
    one(type, name) {
      const found = of(type).filter((resource) =>
        typeof name === 'string' ? resource.name === name : name.test(resource.name),
      );
      const [only] = found;
      if (only === undefined || found.length > 1) throw new Error(`${found.length} of ${type} ${name}`);
      return only;
    },
  };
}

/** The value itself: Pulumi's mocks leave secrets wrapped. */
export function unwrap<T>(value: unknown): T {
  const isSecret = typeof value === 'object' && value !== null && 'value' in value;
  return (isSecret ? value.value : value) as T;
}
