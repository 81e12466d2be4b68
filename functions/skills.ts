import { mountSkills } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

export const handler = await apiHandler('skills', { models: false }, mountSkills);
