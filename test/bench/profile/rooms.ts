import type { Profile, ProfileNode } from './profiler.ts';

/** The share of the samples that each room took itself, without what it called. The idle process counts for nothing. */
export function sharesOfRooms({ nodes, samples }: Profile): Map<string, number> {
  const rooms = roomsOfNodes(nodes);
  const counts = new Map<string, number>();
  let busy = 0;
  for (const id of samples) {
    const room = rooms.get(id);
    if (room === undefined || room === idle) continue;
    busy++;
    counts.set(room, (counts.get(room) ?? 0) + 1);
  }
  return new Map([...counts].map(([room, count]) => [room, count / busy]));
}

const idle = 'idle';

/** What V8 itself does stands in parentheses in a profile. */
const ofV8: Record<string, string> = {
  '(idle)': idle,
  '(garbage collector)': 'garbage collection',
  '(program)': 'native code, without JavaScript',
  '(root)': idle,
};

/** Node's functions that hand bytes to the kernel. */
const socketWrites = /^(writev|write(Utf8|Latin1|Ascii|Ucs2)String|writeBuffer)$/;

function roomsOfNodes(nodes: readonly ProfileNode[]): Map<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const rooms = new Map<number, string>();
  const open: [ProfileNode, string][] = nodes.slice(0, 1).map((root) => [root, idle]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [node, caller] = next;
    const room = roomOf(node, caller);
    rooms.set(node.id, room);
    for (const id of node.children ?? []) open.push([byId.get(id)!, room]);
  }
  return rooms;
}

/** A built-in function counts for the room that calls it. */
function roomOf({ callFrame: { functionName, url } }: ProfileNode, caller: string): string {
  if (url === '') {
    if (socketWrites.test(functionName)) return 'socket writes';
    return ofV8[functionName] ?? caller;
  }
  if (url.startsWith('node:')) return roomOfNode(url);
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (library) return /^@(aws-sdk|smithy|aws-crypto)\//.test(library) ? "AWS's SDK" : library;
  const [, folder] = /\/(packages\/[^/]+|functions|test)\//.exec(url) ?? [];
  return folder ?? url;
}

function roomOfNode(url: string): string {
  const name = url.replace(/^node:(internal\/)?/, '');
  if (/^(_http|http)/.test(name)) return "Node's HTTP";
  if (/^(net|stream|streams|_stream|tty|dgram|buffer)/.test(name))
    return "Node's sockets, streams and buffers";
  if (/^(process|timers|async|event|abort)/.test(name)) return "Node's timers, tasks and events";
  if (/^(webstreams|deps\/undici|fetch|url|encoding|blob)/.test(name)) return "Node's fetch and web streams";
  return 'the rest of Node';
}
