// What the visitor's key has: values for the parameters of operations, and models for their bodies.

/**
 * The things that operations are about. An operation is about the first one whose path begins its own. `list` is where the key's
 * own are read, `from` makes one, or shows it. A `number`, `expires` or `signature` is filled in beside the id.
 */
const kinds = [
  { name: 'file', path: '/v1/files/{agentId}/{name}', from: 'streamRun' },
  { name: 'value', path: '/v1/values/{name}', list: '/v1/values?limit=1', from: 'streamRun' },
  { name: 'delivery', path: '/v1/webhooks/{id}/deliveries/{delivery}', from: 'testWebhook' },
  { name: 'webhook', path: '/v1/webhooks/{id}', list: '/v1/webhooks', from: 'createWebhook' },
  { name: 'skill', path: '/v1/skills/{id}', list: '/v1/skills', from: 'createSkill' },
  { name: 'agent', path: '/v1/agents/{name}', list: '/v1/agents', from: 'createAgent' },
  { name: 'schedule', path: '/v1/schedules/{id}', list: '/v1/schedules', from: 'createSchedule' },
  { name: 'model', path: '/v1/models/{model}', list: '/v1/models', from: 'listModels' },
  { name: 'model', path: '/v1/pricing/{model}', from: 'listModels' },
  { name: 'runResponse', path: '/v1/responses/{id}/cancel', from: 'createRun' },
  { name: 'response', path: '/v1/responses/{id}', from: 'createResponse' },
  { name: 'run', path: '/v1/agents/runs/{agentId}', list: '/v1/agents/runs?limit=1', from: 'createRun' },
];

/** Operations whose answers are of things that they made. */
const makers = new Set([
  '/v1/agents/runs',
  '/v1/agents',
  '/v1/schedules',
  '/v1/skills',
  '/v1/webhooks',
  '/v1/webhooks/{id}/test',
  '/v1/responses',
]);

/** The kinds whose answers show what a thing made. Other answers are also the text of somebody else. */
const makingKinds = new Set(['run', 'webhook', 'delivery']);

/** The kind of model that the body of an operation names. */
export const modelKinds = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'chat',
  '/v1/messages': 'chat',
  '/v1/messages/count_tokens': 'chat',
  '/v1/embeddings': 'embedding',
  '/v1/systemone': 'decision',
  '/v1/decisions': 'decision',
};

export const kindOf = (path) => kinds.find((kind) => path.startsWith(kind.path));

/** The parameters that are of a thing, by their names: an operation's own ones are left to the visitor. */
export const isOfThing = (path, { name, in: place }) =>
  kindOf(path) !== undefined && (place === 'path' || ['expires', 'signature'].includes(name));

export function createThings() {
  /** Each as `{ kind, values, made }`: those made on this page first, the newest before the others. */
  let known = [];
  /** Counts the changes. */
  let version = 0;
  const listeners = new Set();

  const change = (next) => {
    known = next;
    version += 1;
    for (const listener of listeners) listener();
  };

  function add(found) {
    const keyOf = ({ kind, values }) => JSON.stringify([kind, values]);
    const keys = new Set(known.map(keyOf));
    const added = found.filter((each) => !keys.has(keyOf(each)));
    if (added.length > 0)
      change([...added.filter(({ made }) => made), ...known, ...added.filter(({ made }) => !made)]);
  }

  /** Whether an operation may change what it is about: then it gets only what was made on this page. */
  const offer = (path, method) => {
    const kind = kindOf(path);
    if (!kind) return undefined;
    return known.find((each) => each.kind === kind.name && (each.made || method === 'get'))?.values;
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    offer,
    modelOf: (kind) => known.find(({ modelKind }) => kind && modelKind === kind)?.values.model,
    isEmpty: () => known.length === 0,
    /** A name that none of the key's skills or agents has. */
    freeName(kind, name) {
      const taken = new Set(known.flatMap((each) => (each.kind === kind ? each.takenName : [])));
      for (let number = 2, free = name; ; number += 1) {
        if (!taken.has(free)) return free;
        free = `${name}-${number}`;
      }
    },
    /** Notes what the answer of an operation shows. What is gone is forgotten. */
    note(path, method, { status, url, text }) {
      const sent = sentValues(path, url);
      const isGone = status === 404 || status === 410 || (method === 'delete' && status < 300);
      const kind = kindOf(path)?.name;
      if (isGone) change(known.filter((each) => !isGoneWith(each, kind, sent)));
      if (status >= 200 && status < 300 && method !== 'delete')
        add(
          thingsIn(text, {
            made: method === 'post' && makers.has(path),
            inMade:
              makingKinds.has(kind) &&
              known.some(
                ({ values, made }) => made && (values.agentId ?? values.id) === (sent.agentId ?? sent.id),
              ),
            webhook: sent.id,
          }),
        );
    },
    /** Reads the lists of a key. A list that the key may not read leaves its kind empty. */
    async read(key) {
      const lists = kinds.flatMap(({ list }) => list ?? []);
      const read = async (list) => {
        const answer = await fetch(list, { headers: { Authorization: `Bearer ${key}` } });
        return answer.ok ? thingsIn(await answer.text(), {}) : [];
      };
      const found = await Promise.allSettled(lists.map(read));
      add(found.flatMap(({ value }) => value ?? []));
    },
    forgetAll: () => change([]),
  };
}

/** What was sent as the parameters of a path. */
function sentValues(path, url) {
  const parts = new URL(url, location.href).pathname.split('/');
  const names = path.split('/').map((part) => /^\{(.+)\}$/.exec(part)?.[1]);
  return Object.fromEntries(
    names.flatMap((name, index) => (name && parts[index] ? [[name, decodeURIComponent(parts[index])]] : [])),
  );
}

/** A run takes its response and its files along, a skill its versions, a webhook its deliveries. */
const isGoneWith = ({ kind, values }, goneKind, sent) => {
  const gone = Object.entries(sent).filter(
    ([name]) => name !== 'number' && (name !== 'name' || ['value', 'agent'].includes(goneKind)),
  );
  if (goneKind === 'run') return values.agentId === sent.agentId || values.id === sent.agentId;
  return (
    (kind === goneKind || (kind === 'delivery' && goneKind === 'webhook')) &&
    gone.every(([name, value]) => values[name] === value)
  );
};

/** The things in an answer: JSON, or events whose data is JSON. `made` and `inMade` tell whether it is of what was made here. */
function thingsIn(text, from) {
  const found = [];
  for (const document of documentsIn(text)) {
    // What lies deeper may be the text of somebody else: it is nothing that was made here.
    const listed = [
      ...listIn(document, 'events').map((each) => each?.event),
      ...listIn(document, 'deliveries'),
    ];
    const own = new Set([document, document?.response, ...listed]);
    walk(document, (each) => found.push(...thingsOf(each, own.has(each) ? from : { webhook: from.webhook })));
  }
  const links = text.matchAll(/\/v1\/files\/([^/?"\s]+)\/([^/?"\s]+)\?expires=(\d+)&signature=([\w-]+)/g);
  for (const [, agentId, written, expires, signature] of links) {
    const name = decoded(written);
    if (name !== undefined)
      found.push({ kind: 'file', values: { agentId, name, expires, signature }, made: from.inMade });
  }
  return found;
}

const listIn = (document, name) => (Array.isArray(document?.[name]) ? document[name] : []);

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function documentsIn(text) {
  const parse = (json) => {
    try {
      return [JSON.parse(json)];
    } catch {
      return [];
    }
  };
  const whole = parse(text);
  if (whole.length > 0) return whole;
  return [...text.matchAll(/^data: ?(.*)$/gm)].flatMap(([, json]) => parse(json));
}

function walk(part, visit) {
  if (typeof part !== 'object' || part === null) return;
  visit(part);
  for (const each of Object.values(part)) walk(each, visit);
}

function thingsOf(part, { made = false, inMade = false, webhook }) {
  const { id, agentId, version, kind, object, name, scope, displayName, updatedAt, toolName, input } = part;
  const ofId = (start) => typeof id === 'string' && id.startsWith(start);
  if (typeof agentId === 'string')
    return [
      { kind: 'run', values: { agentId }, made },
      { kind: 'runResponse', values: { id: agentId }, made },
    ];
  if (ofId('skill_'))
    return [{ kind: 'skill', values: { id, number: String(version ?? 1) }, made, takenName: name }];
  if (ofId('agent_'))
    return [{ kind: 'agent', values: { name, number: String(version ?? 1) }, made, takenName: name }];
  if (ofId('schedule_')) return [{ kind: 'schedule', values: { id }, made }];
  // In the list of agents the id of a stored one is its name.
  if (typeof scope === 'string' && displayName !== undefined)
    return [
      { kind: 'agent', values: { name: id, number: String(version ?? 1) }, made: false, takenName: id },
    ];
  if (ofId('webhook_')) return [{ kind: 'webhook', values: { id }, made }];
  if (ofId('msg_') && webhook)
    return [{ kind: 'delivery', values: { id: webhook, delivery: id }, made: made || inMade }];
  if (object === 'response') return [{ kind: 'response', values: { id }, made }];
  if (object === 'model') return [{ kind: 'model', values: { model: id }, made, modelKind: kind }];
  if (toolName === 'save_data' && input) {
    const { name: saved } = typeof input === 'string' ? (documentsIn(input)[0] ?? {}) : input;
    return saved ? [{ kind: 'value', values: { name: saved }, made: inMade }] : [];
  }
  // A saved value has a name, and no id.
  if (name && updatedAt && id === undefined) return [{ kind: 'value', values: { name }, made: false }];
  return [];
}
