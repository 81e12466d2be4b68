import { useEffect, useState } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { download } from '../../parts/download.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { ScrollableText } from '../../parts/scrollable.tsx';
import { hrefOf } from '../../shell/route.ts';
import { formatCount } from '../../words/quantities.ts';
import { exportSkill } from './change-skills.ts';
import { type OpenedSkill, openSkill } from './opened-skill.ts';
import { SkillEditor } from './skill-editor.tsx';
import { isOwn } from './skills-state.ts';
import { Versions } from './versions.tsx';

export function SkillDetail({ id }: { id: string }) {
  const [opened] = useState(() => openSkill(id));
  useEffect(opened.load, [opened]);
  const skill = opened.tagged.value?.skill;
  return (
    <>
      <PageHead title={skill?.name ?? 'Skill'} actions={<Actions id={id} opened={opened} />}>
        {skill && <Facts opened={opened} />}
      </PageHead>
      <ErrorNotice
        error={opened.reading.error.value ?? opened.versions.reading.error.value}
        retry={opened.load}
      />
      {skill &&
        (isOwn(skill) ? (
          <SkillEditor opened={opened} />
        ) : (
          <ScrollableText label="Instructions">{skill.instructions}</ScrollableText>
        ))}
      {skill && (opened.versions.list.value?.length ?? 0) > 0 && <Versions opened={opened} />}
      <SameCall
        call={() => ({
          curl: curlOf(
            { method: 'PATCH', path: `/v1/skills/${id}`, json: opened.draft.value },
            location.origin,
          ),
          typescript: typescriptOf(
            location.origin,
            `await errand.api.PATCH('/v1/skills/{id}', {`,
            `  params: { path: { id: ${literal(id)} } },`,
            `  body: ${literal(opened.draft.value, '  ')},`,
            '});',
          ),
        })}
      />
    </>
  );
}

function Facts({ opened }: { opened: OpenedSkill }) {
  const { skill } = opened.tagged.value!;
  const current = opened.versions.list.value?.find(({ number }) => number === skill.version);
  return (
    <span class="row">
      <span class={skill.enabled ? 'pill is-on' : 'pill'}>{skill.enabled ? 'enabled' : 'disabled'}</span>
      <span class="fine">
        {skill.version === null ? 'without versions' : `version ${skill.version}`}
        {current && ` · ${formatCount(current.tokens)} tokens`} · scope {skill.scope}
      </span>
    </span>
  );
}

function Actions({ id, opened }: { id: string; opened: OpenedSkill }) {
  const save = () =>
    opened.reading.run(async () => {
      const name = opened.tagged.value?.skill.name ?? 'skill';
      download(await exportSkill(id), `${name}.SKILL.md`, 'text/markdown');
    });
  return (
    <>
      <button type="button" onClick={() => void save()}>
        Export SKILL.md
      </button>
      <a href={hrefOf('skills')}>All skills</a>
    </>
  );
}
