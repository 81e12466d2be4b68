export type { Check, Row } from './check.ts';
export { prefixes } from './checks/prefixes.ts';
export { checks } from './checks.ts';
export { createScene, type SceneOptions } from './scene.ts';
export { smoke } from './smoke.ts';
export { takeAway } from './take-away.ts';
