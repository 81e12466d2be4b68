import type { Errand } from '../../create-errand.ts';
import type { components } from '../../schema.ts';
import { UsageError } from '../exit-codes.ts';
import type { Session } from './session.ts';

/** The first model of a kind, for a command that names none. */
export async function pickModel(
  { interruption }: Session,
  errand: Errand,
  kind: components['schemas']['Model']['kind'],
): Promise<string> {
  const { data } = await errand.api.GET('/v1/models', { signal: interruption.signal });
  const model = data.data.find((each) => each.kind === kind);
  if (model) return model.id;
  throw new UsageError(`The service has no ${kind} model.`);
}
