import { perKey } from './per-key.ts';
import { resource } from './resource.ts';

/** The money that there is for the visitor's key. Read once, and again when a run, a chat or a decision has spent some. */
export const balance = perKey(() =>
  resource(async ({ api }) => (await api.GET('/v1/credits', { params: { query: { limit: 1 } } })).data),
);
