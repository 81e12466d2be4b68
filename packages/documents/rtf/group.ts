import type { HyperlinkField } from '../hyperlink-field.ts';
import { plainParagraph, type RtfParagraph } from './body.ts';

type RtfDestination = 'body' | 'skip' | 'fonts' | 'styles' | 'title' | 'instruction' | 'marker' | 'note';

/**
 * The settings that `{` saves and `}` restores. A group shares its paragraph and its field with the group around it.
 */
export interface RtfGroup {
  destination: RtfDestination;
  ignorable: boolean;
  fallbackCharacters: number;
  font: number;
  style: number;
  bold: boolean;
  italic: boolean;
  hidden: boolean;
  field: HyperlinkField;
  paragraph: RtfParagraph;
}

export function firstGroup(): RtfGroup {
  return {
    destination: 'body',
    ignorable: false,
    fallbackCharacters: 1,
    font: -1,
    style: 0,
    bold: false,
    italic: false,
    hidden: false,
    field: { instruction: '' },
    paragraph: { ...plainParagraph },
  };
}

const destinations: Readonly<Record<string, RtfDestination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  title: 'title',
  fldinst: 'instruction',
  listtext: 'marker',
  pntext: 'marker',
  footnote: 'note',
};

const skipped = new Set(
  (
    'colortbl pict object header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ftncn aftnsep ' +
    'aftnsepc aftncn annotation atnid atnauthor atnref listtable listoverridetable themedata datastore xmlnstbl generator ' +
    'nonshppict shprslt sp pn bkmkstart bkmkend xe tc author operator comment subject keywords doccomm company manager category'
  ).split(' '),
);

/** Destinations that hold text of the document even where they are marked as ignorable. */
const visibleDestinations = new Set(['shpinst', 'shptxt']);

/** Where a group's text goes if the group starts with this word; undefined for a word that names no destination. */
export function destinationOf(word: string, ignorable: boolean): RtfDestination | undefined {
  if (Object.hasOwn(destinations, word)) return destinations[word];
  if (skipped.has(word)) return 'skip';
  return ignorable && !visibleDestinations.has(word) ? 'skip' : undefined;
}
