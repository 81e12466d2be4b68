import { Tabs } from '../parts/tabs.tsx';
import { type Theme, theme } from './theme.ts';

const names: Record<Theme, string> = { system: 'Auto', light: 'Light', dark: 'Dark' };

export const ThemeSwitch = () => (
  <Tabs
    label="Colours"
    names={names}
    chosen={theme.value}
    choose={(name) => {
      theme.value = name;
    }}
  />
);
