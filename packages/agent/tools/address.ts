import { limits } from '@errand/platform';
import * as v from 'valibot';

/** An address that the model gives to a tool. Its length is checked before it is searched for secrets. */
export const address = (description: string) =>
  v.pipe(
    v.string(),
    v.maxLength(
      limits.modelAddressCharacters,
      `must have at most ${limits.modelAddressCharacters} characters`,
    ),
    v.description(description),
  );
