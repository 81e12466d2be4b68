import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Settings } from '../../../infra/settings.ts';
import { hasPlatform } from '../../../scripts/install-sst.ts';
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
  /** The only one of its type with a name like that. */
  one(type: string, name: string | RegExp): Resource;
}

export interface StackOptions extends EvaluationOptions {
  changes?: Partial<Settings>;
}

/** A stage of the stack, with other settings if given, evaluated in a process of its own. */
export function evaluate(stage: string, options: StackOptions = {}): Stack {
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-stack-'));
  const file = path.join(folder, 'stack.json');
  const main = path.join(import.meta.dirname, 'main.ts');
  try {
    const { status, stderr } = spawnSync(process.execPath, [main, stage, file, JSON.stringify(options)], {
      env: { ...process.env, SST_SECRET_OpenaiApiKey: 'a key', NODE_OPTIONS: '' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return withLookups(JSON.parse(readFileSync(file, 'utf8')) as EvaluatedStack);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

/** Pulumi's mocks leave secrets in their envelope. */
export function unwrap<T>(value: unknown): T {
  const isSecret = typeof value === 'object' && value !== null && 'value' in value;
  return (isSecret ? value.value : value) as T;
}
