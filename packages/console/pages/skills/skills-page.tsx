import { Detail } from '../../named/detail.tsx';
import { NewNamed } from '../../named/new-named.tsx';
import { download } from '../../parts/download.ts';
import type { Action } from '../../session/action.ts';
import { exportSkill, newSkill, skillKind } from './skill-kind.ts';
import { SkillList } from './skill-list.tsx';

export function SkillsPage({ id }: { id?: string }) {
  if (id === undefined) return <SkillList />;
  if (id === 'new') return <NewNamed kind={skillKind} draft={newSkill()} />;
  return (
    <Detail
      key={id}
      kind={skillKind}
      id={id}
      actions={({ reading, tagged }) => (
        <ExportButton id={id} name={tagged.value?.thing.name} reading={reading} />
      )}
    />
  );
}

function ExportButton({
  id,
  name = 'skill',
  reading,
}: {
  id: string;
  name: string | undefined;
  reading: Action;
}) {
  const save = () =>
    reading.run(async () => {
      download(await exportSkill(id), `${name}.SKILL.md`, 'text/markdown');
    });
  return (
    <button type="button" onClick={() => void save()}>
      Export SKILL.md
    </button>
  );
}
