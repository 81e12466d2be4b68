import { type Model, writesText } from '@errand/models';

/** What Anthropic's clients read of a model beside what those of OpenAI do. */
export function anthropicFields(model: Model, contextTokens: number | undefined) {
  return {
    max_input_tokens: contextTokens ?? null,
    max_tokens: model.maxOutputTokens ?? null,
    lifecycle: 'active' as const,
    deprecated_at: null,
    retires_at: null,
    line: null,
  };
}

const support = (supported: boolean) => ({ supported });

/** What becomes of a feature that a message asks for: whether it reaches the model, and its answer the caller. */
export function anthropicCapabilities({ kind, upstream, fallbacks, capabilities }: Model) {
  const isNative = [upstream, ...fallbacks].every(({ api }) => api === 'messages') && writesText(kind);
  const [no, native] = [support(false), support(isNative)];
  return {
    batch: no,
    citations: native,
    code_execution: no,
    context_management: {
      ...native,
      clear_thinking_20251015: native,
      clear_tool_uses_20250919: native,
      compact_20260112: native,
    },
    effort: { ...native, low: native, medium: native, high: native, xhigh: native, max: native },
    image_input: support(capabilities.images),
    pdf_input: native,
    server_tools: { ...no, code_execution: no, web_search: no },
    structured_outputs: support(capabilities.structuredOutput),
    thinking: { ...native, types: { adaptive: native, enabled: native } },
  };
}
