import type { Impact, Usage } from '@errand/models';
import type { Envelope, Principal } from '@errand/platform';
import type { Context } from 'hono';
import type { ChatRequest } from './read-request.ts';
import type { Chunk } from './stream/chunk.ts';
import type { Relayed } from './stream/relayed.ts';

/** How a family of clients writes its requests and reads its answers. What is done in between is one: a chat completion. */
export interface Dialect {
  /** Reads a request. Throws `DomainError` for what it cannot read. */
  read(c: Context, principal: Principal): Promise<ReadInDialect>;
}

export interface ReadInDialect {
  /** The request as the JSON of a chat completion. */
  text: string;
  answering: Answering;
}

/** How a request is answered. */
export interface Answering {
  /** Whether the name of the output's limit is ours: then a provider that knows another name is asked again with that. */
  renamesLimit?: boolean;
  /** Begins a stream, anew for each upstream that is asked. */
  stream(request: ChatRequest): StreamAnswer;
  whole(request: ChatRequest, completion: WholeCompletion): Promise<Buffer<ArrayBuffer>>;
  /** Ends a stream of which nothing was written but comments. */
  refusal(request: ChatRequest, envelope: Envelope): string | Promise<string>;
}

/** What an answer tells of its costs. */
export interface Measured {
  /** The tokens that are charged. */
  tokens: Usage;
  /** The `usage` of a chat completion. */
  usage: Record<string, unknown>;
  impact: Impact;
}

export interface WholeCompletion extends Measured {
  /** The upstream's answer. */
  bytes: Buffer;
  parsed: { choices: unknown[] };
}

export interface StreamEnding extends Measured {
  relayed: Relayed;
  /** Why the answer is not whole. */
  failure: Envelope | undefined;
}

export interface StreamAnswer {
  /** Whether chunks without choices are kept in `relayed.withoutChoices` for the end, with or without usage. */
  keepsEmptyChunks: boolean;
  /** The text to send for a chunk, possibly empty. May change the chunk. */
  write(chunk: Chunk, relayed: Relayed): string;
  /** The text that ends the stream, after the charge. */
  end(ending: StreamEnding): string | Promise<string>;
}
