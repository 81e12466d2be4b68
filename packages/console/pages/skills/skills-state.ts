import { perKey } from '../../session/per-key.ts';
import { resource } from '../../session/resource.ts';

export const skills = perKey(() => resource(async ({ api }) => (await api.GET('/v1/skills')).data.skills));
