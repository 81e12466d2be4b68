import { createInference, mountChat } from '@errand/service';
import { serveArea } from './container/serve-area.ts';

/** The entry point of a container that serves what chat.ts serves. */
await serveArea('chat', { models: true }, (app, deps) => mountChat(app, deps, createInference(deps)));
