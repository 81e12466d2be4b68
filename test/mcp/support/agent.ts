import { Client, type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestService } from '../../support/service.ts';

/** The newest version of the protocol, and the one before. */
export const versions = ['2026-07-28', '2025-11-25'] as const;

/** An agent that has connected with the official client. */
export async function connectAgent(
  service: Pick<TestService, 'baseUrl' | 'apiKey'>,
  {
    key = service.apiKey,
    version = versions[0],
    fetch,
  }: { key?: string; version?: (typeof versions)[number]; fetch?: FetchLike } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    version === versions[0] ? { versionNegotiation: { mode: { pin: version } } } : {},
  );
  const transport = new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), {
    ...(fetch && { fetch }),
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return client;
}

interface Called {
  text: string;
  data: Record<string, unknown>;
  isError: boolean;
}

export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown>,
  options?: Parameters<Client['callTool']>[1],
): Promise<Called> {
  const {
    content,
    structuredContent,
    isError = false,
  } = await client.callTool({ name, arguments: args }, options);
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', data: (structuredContent ?? {}) as Called['data'], isError };
}
