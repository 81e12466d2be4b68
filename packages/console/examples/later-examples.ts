import { later } from '../parts/later.tsx';

const load = () => import('./examples.tsx');

export const AskExamples = later(async () => (await load()).AskExamples);
export const ChatExamples = later(async () => (await load()).ChatExamples);
export const DecideExamples = later(async () => (await load()).DecideExamples);
export const SkillExamples = later(async () => (await load()).SkillExamples);
