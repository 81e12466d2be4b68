import type { ChatChunk } from '@errand/client';
import type { Signal } from '@preact/signals';
import type { Action } from '../../session/action.ts';

export interface ChatAnswer {
  text: Signal<string>;
  usage: Signal<ChatChunk['usage'] | undefined>;
  impact: Signal<ChatChunk['impact'] | undefined>;
  /** The id of the model that gave the answer. */
  model: string;
  /** The reason why the answer ended early. */
  ended: Signal<'' | 'stopped' | 'cut' | 'failed'>;
}

export interface Turn {
  id: number;
  question: string;
  answer: ChatAnswer;
}

export interface ChatState {
  turns: Signal<readonly Turn[]>;
  draft: Signal<string>;
  /** The message that is being written anew. */
  edited: Signal<{ turn: number; text: string } | undefined>;
  model: Signal<string>;
  skill: Signal<string>;
  system: Signal<string>;
  temperature: Signal<string>;
  maxTokens: Signal<string>;
  sending: Action;
  send(model: string): void;
  /** Asks the edited message. The turns from it on go, and come back if there is no answer. */
  sendEdited(model: string): void;
  stop(): void;
  clear(): void;
}
