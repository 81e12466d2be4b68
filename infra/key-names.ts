interface NamesKey {
  apiKeyEnv?: string;
}

interface NamesKeys {
  models: { upstream: NamesKey; fallbacks?: NamesKey[] }[];
  mcpServers?: { authorizationEnv?: string }[];
}

/** The names of the keys that a catalogue's upstreams and servers of tools need. `OPENAI_API_KEY` is set as the secret `OpenaiApiKey`. */
export function keyNames({ models, mcpServers = [] }: NamesKeys): string[] {
  const upstreams = models.flatMap(({ upstream, fallbacks = [] }) => [upstream, ...fallbacks]);
  const keys = upstreams.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);
  return [
    ...new Set([...keys, ...mcpServers.flatMap(({ authorizationEnv }) => authorizationEnv ?? [])]),
  ].sort();
}
