export { stubAgents } from './resolve-agent.ts';
