import { failRefused } from './hold-commands.ts';

failRefused();
