import { mountAgents } from '@errand/service';
import { apiHandler } from './lambda/api.ts';

/** Serves runs, uploads, files and saved values. */
export const handler = await apiHandler('agents', { models: true, links: true }, mountAgents);
