import { type Signal, signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { curlOf } from '../calls/curl.ts';
import { literal, typescriptOf } from '../calls/typescript.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { SameCall } from '../parts/same-call.tsx';
import { createAction } from '../session/action.ts';
import { perKey } from '../session/per-key.ts';
import { sessionSignal } from '../session/session.ts';
import { go, hrefOf, route } from '../shell/route.ts';
import { namedCalls } from './calls.ts';
import type { Named, NamedDraft, NamedKind } from './kind.ts';

/** What is written of a new one. It stays while its visitor looks at something else. */
export const newDraft = <Draft extends NamedDraft>({ nothing }: { nothing: Draft }) =>
  perKey(() => signal(nothing));

export function NewNamed<Thing extends Named, Draft extends NamedDraft, Version>({
  kind,
  draft,
}: {
  kind: NamedKind<Thing, Draft, Version>;
  draft: Signal<Draft>;
}) {
  const { noun, room, key } = kind;
  const [action] = useState(createAction);
  const create = () =>
    action.run(async () => {
      const [sent, session] = [draft.value, sessionSignal()];
      const id = await namedCalls(kind).create(sent);
      if (draft.value === sent) draft.value = kind.nothing;
      const isHere = route.peek().page === room && route.peek().id === 'new';
      if (isHere && !session.aborted) go(room, id);
    });
  return (
    <>
      <PageHead title={`New ${noun}`} actions={<a href={hrefOf(room)}>All {room}</a>} />
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <kind.Fields draft={draft} />
        <ErrorNotice error={action.error.value} />
        <div class="row">
          <button type="submit" class="strong" disabled={action.busy}>
            Create
          </button>
        </div>
      </form>
      <SameCall
        call={() => ({
          curl: curlOf(
            { method: 'POST', path: `/v1/${room}`, json: kind.toNew(draft.value) },
            location.origin,
          ),
          typescript: typescriptOf(
            location.origin,
            `const { data: ${noun} } = await errand.api.POST('/v1/${room}', { body: ${literal(kind.toNew(draft.value))} });`,
            `console.log(${noun}.${key});`,
          ),
        })}
      />
    </>
  );
}
