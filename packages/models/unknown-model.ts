import { DomainError, nearestOf } from '@errand/platform';
import type { Catalogue, Model } from './catalogue.ts';
import { compressedSuffix } from './find-model.ts';

/** The ids by which a model is asked for: its own, and that of its compressed variant if it has one. */
const idsOf = ({ id, compressed }: Model): string[] => (compressed ? [id, id + compressedSuffix] : [id]);

/** The refusal of an id that no model has. It names the nearest of the ids that `isMeant` lets through. */
export function unknownModel(
  { models }: Catalogue,
  id: string,
  isMeant: (model: Model, id: string) => boolean,
): DomainError<'model_not_found'> {
  const meant = models.flatMap((model) => idsOf(model).filter((each) => isMeant(model, each)));
  return new DomainError('model_not_found', { model: id, nearest: nearestOf(id, meant) });
}
