import { effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const storageName = 'errand.theme';

const kept = (): Theme => {
  const name = localStorage.getItem(storageName);
  return name === 'light' || name === 'dark' ? name : 'system';
};

export const theme = signal<Theme>(kept());

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  if (theme.value === 'system') localStorage.removeItem(storageName);
  else localStorage.setItem(storageName, theme.value);
});
