import { beforeAll } from 'vitest';
import { type ScriptedUpstream, startUpstream } from '../../support/scripted-upstream.ts';
import { type ChatService, chatCatalogue, startChatService } from './chat-service.ts';

interface Chat {
  upstream: ScriptedUpstream;
  service: ChatService;
}

/** Starts a scripted upstream and the service in front of it, for all tests of a file. */
export function useChat(take: (chat: Chat) => void): void {
  beforeAll(async () => {
    const upstream = await startUpstream();
    const service = await startChatService(chatCatalogue(upstream.baseUrl));
    take({ upstream, service });
    return async () => {
      await service.close();
      await upstream.close();
    };
  });
}
