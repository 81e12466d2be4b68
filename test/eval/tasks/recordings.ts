import { wav } from '../../support/wav.ts';
import type { Material } from '../corpus/material.ts';
import { meeting, transcriptText } from '../corpus/transcripts.ts';
import { seeded } from '../random.ts';
import { figure } from '../world/facts.ts';
import { nameMaker } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { contains, type Kit, type Places, type Task } from './task.ts';

const meetings = [
  { lines: 700, way: 'address' },
  { lines: 4_000, way: 'address' },
  { lines: 2_500, way: 'upload' },
  { lines: 9_000, way: 'transcript' },
] as const;

/** What is said at the end of a long meeting: as a recording, or as the file of its transcript. */
export function recordings(_: World, { site }: Places): Kit {
  const random = seeded('recordings');
  const newName = nameMaker(random, 'ford');
  const made = meetings.map(({ lines, way }, i) => {
    const name = `${newName()} Bridge`;
    const crowns = figure(random.whole(10_000, 990_000));
    const sentence = `We approved ${crowns} crowns for the ${name}.`;
    const said = meeting(name, lines, sentence);
    const isText = way === 'transcript';
    const filename = `meeting-${i + 1}.${isText ? 'txt' : 'wav'}`;
    const material: Material = {
      path: `/files/${filename}`,
      title: filename,
      contentType: isText ? 'text/plain; charset=utf-8' : 'audio/wav',
      bytes: isText ? Buffer.from(transcriptText(said)) : wav(60),
      states: [{ about: name, value: crowns }],
      isIndexed: false,
    };
    const task: Task = {
      id: `recording-${i + 1}-${way}`,
      kind: 'recording',
      question: `How many crowns were approved for the ${name}?`,
      ...(way === 'address' && { audioUrl: site + material.path }),
      ...(way === 'upload' && { upload: material }),
      ...(isText && { documentUrl: site + material.path }),
      passages: [sentence],
      isRight: contains(crowns),
    };
    return { task, material, recording: { filename, lines: said } };
  });
  return {
    tasks: made.map(({ task }) => task),
    materials: made.map(({ material }) => material),
    recordings: made.map(({ recording }) => recording),
  };
}
