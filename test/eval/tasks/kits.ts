import type { World } from '../world/world.ts';
import { breadth } from './breadth.ts';
import { buried } from './buried.ts';
import { claims, provedClaims } from './claims.ts';
import { extract, provedExtract } from './extract/extract.ts';
import { hostile } from './hostile.ts';
import { longDocuments } from './long-document.ts';
import { longAnswers, longFiles } from './long-writing.ts';
import { datedPages, misled } from './misleading.ts';
import { noAnswer } from './no-answer.ts';
import { oneFact } from './one-fact.ts';
import { recordings } from './recordings.ts';
import { severalHops } from './several-hops.ts';
import { skills } from './skills.ts';
import { tables } from './tables.ts';
import type { Kind, Kit, Places } from './task.ts';
import { savedValues } from './values.ts';
import { worded } from './worded.ts';

export const kits: Record<Kind, (world: World, places: Places) => Kit> = {
  'one-fact': oneFact,
  worded,
  distractor: misled,
  dated: datedPages,
  buried,
  'several-hops': severalHops,
  breadth,
  'long-document': longDocuments,
  recording: recordings,
  table: tables,
  'no-answer': noAnswer,
  'long-answer': longAnswers,
  'long-file': longFiles,
  hostile,
  skill: skills,
  value: savedValues,
  claims,
  'proved-claims': provedClaims,
  extract,
  'proved-extract': provedExtract,
};
