import { expect, test } from 'vitest';
import { parseSkillFormField, readSkillField } from './skill-field.ts';

const readForm = (text: string) => readSkillField(parseSkillFormField(text));

test('in a form the field is a name, or the object as JSON', () => {
  expect(readForm('tone')).toEqual({ name: 'tone' });
  expect(readForm(' {"name": "tone", "version": 2}')).toEqual({ name: 'tone', version: 2 });
});

test.each(['', '{', '{"name":"tone"}', '{"name":"tone","version":0}', '{}'])(
  '%j in a form is invalid',
  (text) => {
    expect(() => readForm(text)).toThrow(expect.objectContaining({ code: 'skill_param_invalid' }));
  },
);
