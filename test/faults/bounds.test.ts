import { type AwsClients, limits, sha256Hex } from '@errand/platform';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from './support/desk.ts';
import { type Ground, groundParts, startGround } from './support/ground.ts';
import { startTestWorker } from './support/workers.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});
afterAll(() => ground.close());

interface Largest {
  itemBytes: number;
  transactionBytes: number;
  transactionItems: number;
}

interface Write {
  Put?: { Item: object };
  Update?: object;
  Delete?: object;
}

/** Measures every request before it is sent. The JSON of an item is longer than the size that DynamoDB counts. */
function measure({ dynamodb }: AwsClients, largest: Largest): void {
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      const { body: sent = '{}' } = args.request as { body?: string | Uint8Array };
      const body = typeof sent === 'string' ? sent : new TextDecoder().decode(sent);
      const { TransactItems, Item } = JSON.parse(body) as { TransactItems?: Write[]; Item?: object };
      const items = TransactItems?.map(({ Put, Update, Delete }) => Put?.Item ?? Update ?? Delete) ?? [
        Item ?? {},
      ];
      for (const item of items)
        largest.itemBytes = Math.max(largest.itemBytes, Buffer.byteLength(JSON.stringify(item)));
      if (TransactItems) {
        largest.transactionItems = Math.max(largest.transactionItems, TransactItems.length);
        largest.transactionBytes = Math.max(largest.transactionBytes, Buffer.byteLength(body));
      }
      return next(args);
    },
    { step: 'finalizeRequest', name: 'measure', priority: 'low' },
  );
}

/** Reads every page of `GET .../events`. */
async function pagesOf(desk: Desk, agentId: string): Promise<{ ids: number[]; characters: number }[]> {
  const pages: { ids: number[]; characters: number }[] = [];
  for (let more = true; more; ) {
    const after = pages.at(-1)?.ids.at(-1) ?? 0;
    const text = await (await desk.request(`/v1/agents/runs/${agentId}/events?after=${after}`)).text();
    const page = JSON.parse(text) as { events: { id: number }[]; more: boolean };
    pages.push({ ids: page.events.map(({ id }) => id), characters: text.length });
    more = page.more;
  }
  return pages;
}

test('the largest inputs keep every item under 400 KB and every transaction under 1 MB and 25 items, and readers see every event', async () => {
  const desk = await openDesk(ground);
  const parts = groundParts(ground.settings, desk.queues);
  const largest: Largest = { itemBytes: 0, transactionBytes: 0, transactionItems: 0 };
  measure(desk.parts.aws, largest);
  measure(parts.aws, largest);
  const worker = await startTestWorker(ground.settings, desk.queues, { parts });
  // `inline` is about the most text that, compressed, lies in an item.
  const inline = Array.from({ length: 960 }, (_, i) =>
    Buffer.from(sha256Hex(`${i}`), 'hex').toString('base64url'),
  ).join('');
  const calls = Array.from({ length: 40 }, (_, i) => ({
    name: 'save_file',
    args: { filename: `file-${i}.txt`, content: i % 10 === 9 ? 'x'.repeat(900_000) : inline },
  }));
  const reading = [1, 2, 3].map((n) => ({
    name: 'document_parse',
    args: { url: `${ground.outside.url}/tome/large/${n}.txt` },
  }));
  const text = '😀'.repeat(100_000);
  const turns = [{ text, calls }, { calls: reading }, { text }, { text }];
  ground.outside.script('large', (number) => turns[number - 1] ?? { text: 'too many' });
  const question = `[large run]${'😀'.repeat(limits.questionCharacters - 11)}`;
  const agentId = await desk.start({
    question,
    metadata: Object.fromEntries(
      Array.from({ length: limits.metadataEntries }, (_, i) => [
        `${i}`.padEnd(limits.metadataKeyCharacters, 'k'),
        'v'.repeat(limits.metadataValueCharacters),
      ]),
    ),
  });
  const events = await desk.follow(agentId);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1));
  expect(events.at(-1)).toMatchObject({ type: 'done', finalText: text });
  const pages = await pagesOf(desk, agentId);
  expect(pages.flatMap((page) => page.ids)).toEqual(events.map(({ id }) => id));
  expect(pages.length).toBeGreaterThan(1);
  for (const { characters } of pages) expect(characters).toBeLessThan(6_000_000);
  const sent = events.filter(({ type, toolName }) => type === 'tool_call' && toolName === 'save_file');
  expect(sent.map(({ input }) => JSON.parse(String(input)))).toEqual(calls.map(({ args }) => args));
  const tomes = events.filter(
    ({ type, toolName }) => type === 'tool_result' && toolName === 'document_parse',
  );
  expect(tomes.map(({ result }) => String(result).length)).toSatisfy((lengths: number[]) =>
    lengths.every((length) => length > 5_000 && length < 17_000),
  );
  expect(largest.itemBytes).toBeLessThanOrEqual(400 * 1024);
  expect(largest.transactionBytes).toBeLessThanOrEqual(limits.transactionBytes);
  expect(largest.transactionItems).toBeLessThanOrEqual(25);
  // The measurement covers a commit whose events just fit an item.
  expect(largest.itemBytes).toBeGreaterThan(limits.eventInlineBytes / 2);
  expect(largest.transactionBytes).toBeGreaterThan(limits.eventInlineBytes);
  expect(largest.transactionItems).toBeGreaterThan(4);
  await worker.stop();
});
