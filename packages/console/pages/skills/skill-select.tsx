import { SelectField } from '../../parts/select-field.tsx';
import { skills } from './skills-state.ts';

/** The names of the skills that are switched on. */
export function SkillSelect({ chosen }: { chosen: { value: string } }) {
  skills().need();
  const enabled = skills().data.value?.filter((skill) => skill.enabled) ?? [];
  const names = [...new Set(enabled.map(({ name }) => name))];
  return <SelectField name="Skill" chosen={chosen} names={names} unset="None" source={skills()} />;
}
