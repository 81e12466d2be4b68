import { expect, test } from 'vitest';
import type { ProfileNode } from './profiler.ts';
import { sharesOfRooms } from './rooms.ts';

const node = (id: number, functionName: string, url: string, ...children: number[]): ProfileNode => ({
  id,
  callFrame: { functionName, url },
  children,
});

test('the samples of a process count for the rooms of their functions, a built-in one for that of its caller', () => {
  const nodes = [
    node(1, '(root)', '', 2, 3, 4),
    node(2, '(idle)', ''),
    node(3, 'answer', 'file:///home/errand/packages/chat/answer.ts', 5, 6),
    node(4, '(garbage collector)', ''),
    node(5, 'parse', ''),
    node(6, 'send', 'file:///home/errand/node_modules/@smithy/core/index.js', 7, 8),
    node(7, 'onStream', 'node:net', 9),
    node(8, 'process', 'node:internal/deps/undici/undici'),
    node(9, 'writev', ''),
  ];
  const shares = sharesOfRooms({ nodes, samples: [2, 2, 3, 5, 4, 6, 7, 8, 9, 9] });
  expect(Object.fromEntries(shares)).toEqual({
    'packages/chat': 2 / 8,
    'garbage collection': 1 / 8,
    "AWS's SDK": 1 / 8,
    "Node's sockets, streams and buffers": 1 / 8,
    "Node's fetch and web streams": 1 / 8,
    'socket writes': 2 / 8,
  });
});
