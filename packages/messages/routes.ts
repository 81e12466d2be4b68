import type { ChatDeps } from '@errand/chat';
import type { HttpEnv } from '@errand/platform';
import type { Hono } from 'hono';

export type MessagesDeps = ChatDeps;

export function messagesRoutes(_deps: MessagesDeps): Hono<HttpEnv> {
  throw new Error('to be written');
}
