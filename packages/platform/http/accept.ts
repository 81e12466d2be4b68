import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

type Accepted = Parameters<NonNullable<Parameters<typeof accepts>[1]['match']>>[0][number];

/** The type of an answer that `Accept` prefers, of those that there are. The first is that of callers without a preference. */
export const preferredType = <T extends string>(c: Context, types: readonly [T, ...T[]]): T =>
  accepts(c, { header: 'Accept', supports: [...types], default: types[0], match: byQuality }) as T;

/**
 * The quality of a type is that of the most specific range that it is in (RFC 9110, 12.5.1). hono's own match (4.13) takes
 * no type by the range of all types. Of two types with one quality, the one that is named more specifically is preferred,
 * then the one that is named first.
 */
function byQuality(
  ranges: readonly Accepted[],
  { supports, default: usual }: { supports: string[]; default: string },
): string {
  const rated = supports.flatMap((type) => {
    const [best] = ranges
      .map((range, place) => ({
        type,
        quality: range.q,
        place,
        specificity: specificityOf(range.type, type),
      }))
      .filter(({ specificity }) => specificity > 0)
      .sort((a, b) => b.specificity - a.specificity);
    return best && best.quality > 0 ? [best] : [];
  });
  const [first] = rated.sort(
    (a, b) => b.quality - a.quality || b.specificity - a.specificity || a.place - b.place,
  );
  return first?.type ?? usual;
}

/** 0 for a range that the type is not in. */
function specificityOf(range: string, type: string): number {
  const named = range.toLowerCase();
  if (named === type) return 3;
  if (named === '*/*' || named === '*') return 1;
  return named === `${type.slice(0, type.indexOf('/'))}/*` ? 2 : 0;
}
