import { mountSkills } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** The management of skills. */
export const handler = await apiHandler('skills', { models: false }, mountSkills);
