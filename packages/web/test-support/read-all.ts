import type { FetchedResponse } from '../fetch.ts';
import { holdBody } from '../hold-body.ts';

export const readAll = async (response: FetchedResponse): Promise<Uint8Array> =>
  (await holdBody(response, {})).bytes;
