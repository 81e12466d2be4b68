import type { Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';

/**
 * hono's fast router takes no parameter where other paths have words, as `/v1/agents/:name` beside `/v1/agents/runs`. Its other router is
 * ten times slower, and has `/v1/skills/:id`, asked for by these very letters, handled twice. So the paths that match `apart` are routed by themselves.
 */
export function createRouter<T>(apart: RegExp): Router<T> {
  const [own, others] = [new RegExpRouter<T>(), new RegExpRouter<T>()];
  return {
    name: 'Apart',
    add(method, path, handler) {
      const isForBoth = path.includes('*');
      if (isForBoth || apart.test(path)) own.add(method, path, handler);
      if (isForBoth || !apart.test(path)) others.add(method, path, handler);
    },
    match: (method, path) => (apart.test(path) ? own : others).match(method, path),
  };
}
