import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';

/** The servers of tools that the operator offers to the visitor. */
export const offered = perKey(() =>
  resource(async ({ api }) => (await api.GET('/v1/agents/servers')).data.servers),
);
