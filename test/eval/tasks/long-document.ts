import { type LongKind, longDocument } from '../corpus/long-documents.ts';
import { slug } from '../corpus/material.ts';
import { seeded } from '../random.ts';
import { figure } from '../world/facts.ts';
import { nameMaker } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { lastRow } from './tables.ts';
import { contains, type Kit, type Places, type Task } from './task.ts';

interface Form {
  kind: LongKind;
  megabytes: number;
  /** How the run gets it: its address, a file with the question, or a search. */
  way: 'address' | 'upload' | 'search';
}

const forms: readonly Form[] = [
  { kind: '.txt', megabytes: 30, way: 'address' },
  { kind: '.docx', megabytes: 30, way: 'address' },
  { kind: '.pdf', megabytes: 4, way: 'address' },
  { kind: '.md', megabytes: 12, way: 'upload' },
  { kind: '.txt', megabytes: 30, way: 'upload' },
  { kind: '.docx', megabytes: 3, way: 'upload' },
  { kind: '.html', megabytes: 3, way: 'upload' },
  { kind: '.pptx', megabytes: 2, way: 'address' },
  { kind: '.html', megabytes: 1, way: 'search' },
  { kind: '.html', megabytes: 1.5, way: 'search' },
];

/** A fact at the end of a document that is longer than what a model takes. */
export function longDocuments(_: World, places: Places): Kit {
  const random = seeded('long documents');
  const newName = nameMaker(random, 'ham');
  const made = forms.map(({ kind, megabytes, way }, index) => {
    const name = `${newName()} Survey`;
    const herons = figure(random.whole(1_100, 9_900));
    const sentence = `The ${name} counted ${herons} herons.`;
    const path = way === 'search' ? `/wiki/${slug(name)}` : `/files/long-${index + 1}-${slug(name)}${kind}`;
    const material = longDocument({
      kind,
      path,
      title: name,
      characters: megabytes * 1_000_000,
      sentence,
      states: [{ about: name, value: herons }],
      isIndexed: way === 'search',
    });
    const task: Task = {
      id: `long-document-${index + 1}${kind}-${way}`,
      kind: 'long-document',
      question: `How many herons did the ${name} count?`,
      ...(way === 'address' && { documentUrl: places.site + path }),
      ...(way === 'upload' && { upload: material }),
      passages: [sentence],
      isRight: contains(herons),
    };
    return { material, task };
  });
  const rows = [lastRow('.csv', 120_000, places), lastRow('.xlsx', 60_000, places)];
  return {
    tasks: [...made.map(({ task }) => task), ...rows.map(({ task }) => task)],
    materials: [...made.map(({ material }) => material), ...rows.map(({ material }) => material)],
  };
}
