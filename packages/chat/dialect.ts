import type { Impact, Model, ModelUpstream, Usage } from '@errand/models';
import type { CompletionBound } from '@errand/money';
import type { Envelope, Price, Principal } from '@errand/platform';
import type { ResolvedSkill } from '@errand/skills';
import type { Context } from 'hono';
import type { Edit, Message } from './edit-messages.ts';
import type { NamedImage } from './image-urls.ts';
import type { ChatRequestBody } from './schema.ts';
import type { Chunk } from './stream/chunk.ts';
import type { Relayed } from './stream/relayed.ts';
import type { WrittenText } from './written-text.ts';

/** How a family of clients writes its requests and reads its answers. Between the two, each is a chat completion. */
export interface Dialect {
  /** Reads a request. Throws `DomainError` for what it cannot read. */
  read(c: Context, principal: Principal): Promise<ReadInDialect>;
}

interface ReadInDialect {
  /** The request as the JSON of a chat completion. */
  text: string;
  answering: Answering;
}

/** A request that is known to be right, before its images are fetched. */
export interface ReadRequest {
  model: Model;
  /** The id that the caller sent, which may name the compressed variant. */
  modelId: string;
  compressed: boolean;
  /** The body as the caller sent it. */
  sent: Buffer;
  body: ChatRequestBody;
  /** The images whose bytes are to be sent in place of their addresses. */
  images: readonly NamedImage[];
  skill: ResolvedSkill | undefined;
  /** The prices that hold when the request comes in. */
  price: Price;
  /** What the request may cost at most. */
  bound: CompletionBound;
  /**
   * The output limit of each choice that the provider is told even if the reservation pays for everything the
   * request asks for.
   */
  toldTokens: number | undefined;
  answering: Answering;
}

export interface ChatRequest extends Omit<ReadRequest, 'sent' | 'images' | 'compressed'> {
  /** The body as the caller sent it, with the bytes of images in place of addresses where the catalogue says so. */
  bytes: Buffer;
  /** What is added to the caller's messages: the skill, and the variant's instruction. */
  edits: readonly Edit[];
  /** The messages for the upstream, with the skill and the variant's instruction. */
  messages: readonly Message[];
  /** The JSON of `messages`. Undefined if the caller's own messages are sent. */
  writtenMessages: string | undefined;
}

/** How a request is answered. */
export interface Answering {
  /**
   * True if we chose the name of the output limit's field: a provider that knows another name is then asked again
   * with that name.
   */
  renamesLimit?: boolean;
  /** Begins a stream, anew for each upstream that is asked. */
  stream(request: ChatRequest): StreamAnswer;
  whole(request: ChatRequest, completion: WholeCompletion): Promise<Buffer<ArrayBuffer>>;
  /** How to ask upstreams that speak the dialect themselves, as `upstream.api` says. */
  native?: Native;
  /** How the caller wants the model to think, if upstreams with Messages are not told by the completion's `thinking`. */
  thinking?: unknown;
  /** What keeps a silent stream open. A comment if absent. */
  keepAlive?: string;
  /** Ends a stream of which nothing was written but comments. */
  refusal(request: ChatRequest, envelope: Envelope): string | Promise<string>;
}

/** A way to ask upstreams other than as a chat completion. */
export interface Native {
  /** Upstreams whose `api` has this name are asked so. */
  api: 'responses' | 'messages';
  path: string;
  /** What such an upstream is sent beside our own headers. */
  headers?: Readonly<Record<string, string>>;
  /** What these upstreams read of the request. It may have what no completion has, such as encrypted reasoning. */
  input(completion: Input, upstreams: readonly ModelUpstream[]): Input;
  body(request: ChatRequest, upstream: ModelUpstream, outputTokens: number | undefined): Uint8Array;
  /** Begins a stream, as `Answering.stream` does. */
  stream(request: ChatRequest): { relay: EventRelay; answer: StreamAnswer };
  /** Reads an answer in one piece as a chat completion. Undefined if the answer cannot be read. */
  read(bytes: Buffer): ReadWhole | undefined;
}

/** What an upstream reads of a request. */
export interface Input {
  /** JSON whose texts are counted as those of a completion are. */
  counted: Buffer;
  /** Bytes of the text. It has no more tokens. */
  textBytes: number;
  /** Bytes of files other than pictures. */
  fileBytes: number;
  /** Bytes of what its provider alone can read, and may bill. */
  sealedBytes: number;
  pictures: number;
  files: number;
  /** Whether the upstream may first write a summary of it, which is billed beside the answer. */
  isSummarized: boolean;
}

export interface ReadWhole {
  parsed: WholeCompletion['parsed'];
  /** The JSON of `parsed`, if the answer was translated into a chat completion. */
  bytes?: Buffer;
  /** Adds what was written, piece by piece, if `parsed` has not all of it. */
  addWritten?(to: WrittenText): void;
  /** Tokens that nobody can read, estimated. */
  hiddenTokens?: number;
}

/** Reads the events of an upstream's stream. */
export interface EventRelay {
  relayed: Relayed;
  /** The text to pass on for an event's data, possibly empty. Undefined if the data is an error or unreadable. */
  accept(data: string): string | undefined;
  /** The part of an event's data that can be paid for; all of it if absent. */
  metered?(data: string): string;
}

/** What an answer says about its cost. */
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
  parsed: { choices: unknown[]; usage?: unknown };
  /** Whether the upstream was asked by `Answering.native`. */
  isNative: boolean;
}

interface StreamEnding extends Measured {
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
