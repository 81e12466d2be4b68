import { mountAgents } from '@errand/service';
import { serveArea } from './container/serve-area.ts';

/** The entry point of a container that serves what agents.ts serves, for forms larger than Lambda accepts. */
await serveArea('large-uploads', { models: true, links: true }, mountAgents);
