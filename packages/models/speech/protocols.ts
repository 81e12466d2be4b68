import { type ModelUpstream, speechProtocolNames } from '../catalogue.ts';
import { deepgram } from './deepgram.ts';
import { openai } from './openai.ts';
import type { SpeechProtocol } from './protocol.ts';

const protocols: Record<(typeof speechProtocolNames)[number], SpeechProtocol> = { openai, deepgram };

/** The protocol that an upstream is asked by. */
export const speechProtocol = ({ protocol = speechProtocolNames[0] }: ModelUpstream): SpeechProtocol =>
  protocols[protocol];
