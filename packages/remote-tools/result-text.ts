import type { CallToolResult } from '@modelcontextprotocol/client';

type Part = CallToolResult['content'][number];

/** What a tool answered, as text: other parts are named with their kind and size. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const texts = content.map(partText);
  if (texts.length === 0 && structuredContent !== undefined) return JSON.stringify(structuredContent);
  return texts.join('\n\n') || 'The tool answered nothing.';
}

function partText(part: Part): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'image' || part.type === 'audio') return named(part.type, part.mimeType, part.data);
  if (part.type === 'resource_link') return `[link to a resource: ${part.uri}]`;
  const { resource } = part;
  if ('text' in resource) return `${resource.uri}\n${resource.text}`;
  return named('resource', resource.mimeType ?? resource.uri, resource.blob);
}

const named = (kind: string, type: string, base64: string): string =>
  `[${kind}, ${type}, ${Math.floor((base64.length * 3) / 4)} bytes: not shown]`;
