import { failUndescribed } from './hold-answers.ts';

failUndescribed();
