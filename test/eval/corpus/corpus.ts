import type { Transcripts } from '../models/speech.ts';
import { kits } from '../tasks/kits.ts';
import type { Kind, Places, Task } from '../tasks/task.ts';
import { subjectsOf } from '../world/facts.ts';
import { makeWorld } from '../world/world.ts';
import type { Material } from './material.ts';
import { noise } from './noise-pages.ts';
import { subjectPage } from './subject-pages.ts';

interface Corpus {
  tasks: readonly Task[];
  materials: readonly Material[];
  transcripts: Transcripts;
}

/** The world's pages, and the tasks of these kinds with what they need. The same for the same kinds and places. */
export function makeCorpus(kinds: readonly Kind[], places: Places): Corpus {
  const world = makeWorld('the evaluation');
  const made = kinds.map((kind) => kits[kind](world, places));
  return {
    tasks: made.flatMap(({ tasks }) => tasks),
    materials: [
      ...subjectsOf(world).map(subjectPage),
      ...eachOnce(made.flatMap(({ materials = [] }) => materials)),
      ...noise(made.flatMap(({ subjects = [] }) => subjects)),
    ],
    transcripts: new Map(
      made.flatMap(({ recordings = [] }) =>
        recordings.map(({ filename, lines }) => [filename, lines] as const),
      ),
    ),
  };
}

/** Two kinds may ask about the same pages. */
const eachOnce = (materials: readonly Material[]): Material[] => [
  ...new Map(materials.map((material) => [material.path, material])).values(),
];
