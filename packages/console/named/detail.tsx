import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { curlOf } from '../calls/curl.ts';
import { literal, typescriptOf } from '../calls/typescript.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { SameCall } from '../parts/same-call.tsx';
import { ScrollableText } from '../parts/scrollable.tsx';
import { hrefOf } from '../shell/route.ts';
import { formatCount } from '../words/quantities.ts';
import { Editor } from './editor.tsx';
import { isOwn, type Named, type NamedDraft, type NamedKind } from './kind.ts';
import { type Opened, openNamed } from './opened.ts';
import { Versions } from './versions.tsx';

/** One skill or agent: its form, or its text if it is another's, and its versions. */
export function Detail<Thing extends Named, Draft extends NamedDraft, Version>({
  kind,
  id,
  actions,
}: {
  kind: NamedKind<Thing, Draft, Version>;
  id: string;
  actions: (opened: Opened<Thing, Draft, Version>) => ComponentChildren;
}) {
  const { noun, room, key } = kind;
  const [opened] = useState(() => openNamed(kind, id));
  useEffect(opened.load, [opened]);
  const thing = opened.tagged.value?.thing;
  const title = thing?.name ?? `${noun[0]!.toUpperCase()}${noun.slice(1)}`;
  const body = () => kind.toPatch(opened.draft.value);
  return (
    <>
      <PageHead
        title={title}
        actions={
          <>
            {actions(opened)}
            <a href={hrefOf(room)}>All {room}</a>
          </>
        }
      >
        {thing && <Facts opened={opened} />}
      </PageHead>
      <ErrorNotice
        error={opened.reading.error.value ?? opened.versions.reading.error.value}
        retry={opened.load}
      />
      {thing &&
        (isOwn(thing) ? (
          <Editor opened={opened} />
        ) : (
          <ScrollableText label="Instructions">{kind.textOf(thing)}</ScrollableText>
        ))}
      {thing && (opened.versions.list.value?.length ?? 0) > 0 && <Versions opened={opened} />}
      <SameCall
        call={() => ({
          curl: curlOf({ method: 'PATCH', path: `/v1/${room}/${id}`, json: body() }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `await errand.api.PATCH('/v1/${room}/{${key}}', {`,
            `  params: { path: { ${key}: ${literal(id)} } },`,
            `  body: ${literal(body(), '  ')},`,
            '});',
          ),
        })}
      />
    </>
  );
}

function Facts<Thing extends Named, Draft extends NamedDraft, Version>({
  opened,
}: {
  opened: Opened<Thing, Draft, Version>;
}) {
  const { enabled, version, scope } = opened.tagged.value!.thing;
  const tokens = opened.versions.list.value?.find(({ number }) => number === version)?.tokens;
  return (
    <span class="row">
      <span class={enabled ? 'pill is-on' : 'pill'}>{enabled ? 'enabled' : 'disabled'}</span>
      <span class="fine">
        {version === null ? 'without versions' : `version ${version}`}
        {tokens !== undefined && ` · ${formatCount(tokens)} tokens`} · scope {scope}
      </span>
    </span>
  );
}
