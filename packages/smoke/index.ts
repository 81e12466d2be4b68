export type { Check, Row } from './check.ts';
export { cost } from './checks/cost.ts';
export { prefixes } from './checks/prefixes.ts';
export { checks } from './checks.ts';
export { makeAccount } from './keys.ts';
export { savingRun } from './saving-run.ts';
export { createScene, type Scene } from './scene.ts';
export { smoke } from './smoke.ts';
export { takeAway } from './take-away.ts';
