import { NewSkill } from './new-skill.tsx';
import { SkillDetail } from './skill-detail.tsx';
import { SkillList } from './skill-list.tsx';

export function SkillsPage({ id }: { id?: string }) {
  if (id === undefined) return <SkillList />;
  return id === 'new' ? <NewSkill /> : <SkillDetail key={id} id={id} />;
}
