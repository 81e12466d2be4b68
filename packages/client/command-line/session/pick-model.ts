import type { Errand } from '../../create-errand.ts';
import type { components } from '../../schema.ts';
import type { Session } from './session.ts';

type Kind = components['schemas']['Model']['kind'];

/** The first model of these kinds, for a command that names none. */
export async function pickModel(
  { interruption }: Session,
  errand: Errand,
  kinds: readonly [Kind, ...Kind[]],
): Promise<string> {
  const { data } = await errand.api.GET('/v1/models', { signal: interruption.signal });
  const model = data.data.find((each) => kinds.includes(each.kind));
  if (model) return model.id;
  throw new Error(`The service has no ${kinds[0]} model.`);
}
