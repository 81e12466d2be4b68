// The package's own types import files without their endings, which `nodenext` does not find.
interface OpenAIStreamsOptions {
  apiBase?: string;
  apiKey?: string;
  mode?: 'tokens' | 'raw';
  controller?: AbortController;
}

declare module 'openai-streams' {
  export function OpenAI(
    endpoint: 'chat' | 'completions' | 'embeddings',
    body: object,
    options?: OpenAIStreamsOptions,
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
}

declare module 'openai-streams/node' {
  export function OpenAI(
    endpoint: 'chat' | 'completions' | 'embeddings',
    body: object,
    options?: OpenAIStreamsOptions,
  ): Promise<NodeJS.ReadableStream>;
}
