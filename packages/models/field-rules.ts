/** What becomes of a field of a caller's chat completion: it is sent as it is, left out without a word, or refused. */
export const fieldRules = ['pass', 'drop', 'refuse'] as const;

type FieldRule = (typeof fieldRules)[number];

/** The name under which the rules know a tool that is neither `function` nor `custom`. */
export const toolTypes = 'tools[].type';

/**
 * The fields that would make a request cost something else than the catalogue says, or have something else answer it.
 * All others pass. Fields whose loss changes no answer are dropped, because clients send some of them by default.
 */
export const defaultRules: Readonly<Record<string, FieldRule>> = {
  // Another class of speed, at up to a multiple of the price (OpenAI, Groq, OpenRouter, Fireworks, DeepInfra).
  service_tier: 'drop',
  speed: 'drop',
  // The provider keeps the conversation, and may read and bill what it keeps (OpenAI).
  store: 'drop',
  // Writing into a cache costs up to twice the price of input (Anthropic's models, by OpenRouter).
  cache_control: 'drop',

  // Other models, hosts or routes (OpenRouter).
  models: 'refuse',
  provider: 'refuse',
  route: 'refuse',
  preset: 'refuse',
  // Searches and parsers, billed by the use (OpenRouter).
  plugins: 'refuse',
  // Other models, hosts, keys and headers, with which the caller's own server may be asked (LiteLLM).
  fallbacks: 'refuse',
  custom_llm_provider: 'refuse',
  api_base: 'refuse',
  base_url: 'refuse',
  user_config: 'refuse',
  model_list: 'refuse',
  api_key: 'refuse',
  extra_headers: 'refuse',
  // The host that is asked with the operator's credentials (LiteLLM, for Bedrock).
  aws_bedrock_runtime_endpoint: 'refuse',
  // Another workspace, user or rule of bills, a region at another price, and files that the provider keeps (Anthropic).
  workspace_id: 'refuse',
  user_profile_id: 'refuse',
  billing_policy: 'refuse',
  inference_geo: 'refuse',
  container: 'refuse',
  // Servers of tools that the provider connects to (Anthropic).
  mcp_servers: 'refuse',
  // Other weights for the same name (SGLang, LoRAX, llama.cpp, vLLM, MLX).
  lora_path: 'refuse',
  adapter_id: 'refuse',
  lora: 'refuse',
  lora_request: 'refuse',
  adapters: 'refuse',
  // A second model, loaded from a path or a hub by its name (MLX).
  draft_model: 'refuse',
  // Models and tools of a compound system (Groq).
  compound_custom: 'refuse',

  // Searches, billed by the use (OpenAI and Perplexity, xAI, Alibaba).
  web_search_options: 'refuse',
  search_parameters: 'refuse',
  enable_search: 'refuse',
  search_options: 'refuse',
  // Data at an address that the caller gives, by a search service that bills it (Azure).
  data_sources: 'refuse',
  // The same in Azure's older versions, which write it `dataSources`.
  datasources: 'refuse',
  // A tool of the provider's own, billed by the use (Groq, Z.ai, Moonshot, OpenRouter).
  [toolTypes]: 'refuse',

  // Sound and pictures cost more than tokens of text (OpenAI, OpenRouter).
  modalities: 'refuse',
  audio: 'refuse',

  // More answers are computed than are reported (vLLM, TGI).
  best_of: 'refuse',
  use_beam_search: 'refuse',
  // Other names of `n` and of `max_tokens`, which are bounded (llama.cpp, TGI and others).
  n_cmpl: 'refuse',
  n_predict: 'refuse',
  max_new_tokens: 'refuse',
  max_output_tokens: 'refuse',

  // Hosts that the server connects to, and its order of work (vLLM, SGLang).
  kv_transfer_params: 'refuse',
  bootstrap_host: 'refuse',
  bootstrap_port: 'refuse',
  priority: 'refuse',
};

/** Some servers read names in any case of letters, `ſ` and the Kelvin sign included. */
export const foldName = (name: string): string => name.toUpperCase().toLowerCase();

/** The upstream's rule for a field, however its name is written. */
export function fieldRule(
  { fields = {} }: { fields?: Readonly<Record<string, FieldRule>> },
  name: string,
): FieldRule {
  const folded = foldName(name);
  for (const rules of [fields, defaultRules]) {
    const rule = Object.hasOwn(rules, folded) ? rules[folded] : undefined;
    if (rule) return rule;
  }
  return 'pass';
}
