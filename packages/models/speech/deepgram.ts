import type { ModelUpstream } from '../catalogue.ts';
import type { UpstreamRequest } from '../upstream.ts';
import type { Recording, SpeechProtocol } from './protocol.ts';
import { type Transcript, toTranscript } from './transcript.ts';

export const deepgram: SpeechProtocol = {
  requests: (upstream) => [(recording) => listenRequest(upstream, recording)],
  listing: (upstream) => ({ path: `${versionOf(upstream)}/models`, headers: tokenOf(upstream) }),
  read: readTranscript,
};

const versionOf = ({ baseUrl }: ModelUpstream): string => (/\/v\d+$/.test(baseUrl) ? '' : '/v1');

const tokenOf = ({ apiKey }: ModelUpstream): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Token ${apiKey}` };

function listenRequest(upstream: ModelUpstream, recording: Recording): UpstreamRequest {
  const query = new URLSearchParams({
    model: upstream.model,
    diarize: 'true',
    utterances: 'true',
    detect_language: 'true',
    smart_format: 'true',
  });
  return {
    path: `${versionOf(upstream)}/listen?${query}`,
    headers: {
      'content-type': recording.contentType,
      ...tokenOf(upstream),
      ...(recording.bytes !== undefined && { 'content-length': recording.bytes }),
    },
    body: recording.body,
  };
}

interface DeepgramAnswer {
  metadata?: { duration?: unknown };
  results?: {
    channels?: { detected_language?: unknown; alternatives?: { transcript?: unknown }[] }[];
    utterances?: ({ start?: unknown; end?: unknown; speaker?: unknown; transcript?: unknown } | null)[];
  };
}

function readTranscript(json: unknown): Transcript {
  const { metadata, results } = (json ?? {}) as DeepgramAnswer;
  const channel = results?.channels?.[0];
  return toTranscript({
    duration: metadata?.duration,
    language: channel?.detected_language,
    parts: (results?.utterances ?? []).flatMap((utterance) => {
      if (!utterance) return [];
      const { start, end, speaker, transcript: text } = utterance;
      return [{ start, end, speaker, text }];
    }),
    text: channel?.alternatives?.[0]?.transcript,
  });
}
