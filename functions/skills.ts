import { mountSkills } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Serves the management of skills. */
export const handler = await apiHandler('skills', { models: false }, mountSkills);
