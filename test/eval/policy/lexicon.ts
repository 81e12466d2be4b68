/** The languages in which the policy reads questions and writes answers. */
export type Tongue = 'en' | 'de' | 'fr' | 'es';

/** Something that can be asked of a subject, with the words of four languages for it. */
export interface Sense {
  name: string;
  /** In questions. */
  asks: RegExp;
  /** In sentences that state it. */
  states: RegExp;
  value: 'name' | 'figure' | 'word';
  /** Where a word stands in a sentence that states it. */
  word?: RegExp;
  /** What follows a figure that is meant, where it could be another. */
  unit?: RegExp;
  /** What it is called in an answer. */
  noun: Readonly<Record<Tongue, string>>;
  /** Words to look for it with, besides those of the question. */
  wordings: readonly string[];
}

const noun = (en: string, de: string, fr: string, es: string) => ({ en, de, fr, es });

/** What the policy knows of language, as a model would. It knows nothing of the corpus. */
export const senses: readonly Sense[] = [
  {
    name: 'founder',
    asks: /\bset up\b|\bstarted\b|\bfounded\b|\bentrepreneur\b|gegründet|\bcréée?\b|fundó/i,
    states: /\bfounded by\b|\bset up by\b|\bestablished by\b/i,
    value: 'name',
    noun: noun('the founder', 'der Gründer', 'le fondateur', 'el fundador'),
    wordings: ['founded by', 'founder'],
  },
  {
    name: 'seat',
    asks: /\bhead office\b|\bbased\b|\bheadquarters\b|\bSitz\b|\bsiège\b|\bsede\b/i,
    states: /\bheadquarters\b|\bhead office\b|\bbased in\b/i,
    value: 'name',
    noun: noun('the seat', 'der Sitz', 'le siège', 'la sede'),
    wordings: ['headquarters are in', 'seat'],
  },
  {
    name: 'employees',
    asks: /\bworkforce\b|\bstaff\b|\bpayroll\b|\bemploy\w*|Belegschaft|Beschäftigte\w*|\beffectif\b|\bsalariés\b|trabajadores|plantilla/i,
    states: /\bemploys?\b|\bemployees\b|\bworkforce\b|\bstaff\b/i,
    value: 'figure',
    unit: /people|employees|workers|persons/i,
    noun: noun(
      'the number of employees',
      'die Zahl der Beschäftigten',
      'le nombre de salariés',
      'el número de empleados',
    ),
    wordings: ['employs people', 'number of employees'],
  },
  {
    name: 'revenue',
    asks: /\bturnover\b|\brevenue\b|\btake in\b|\bUmsatz\b|chiffre d[’']affaires|facturó|\bingresos\b/i,
    states: /\brevenue\b|\bturnover\b/i,
    value: 'figure',
    unit: /crowns/i,
    noun: noun('the revenue', 'der Umsatz', 'le revenu', 'el ingreso'),
    wordings: ['revenue crowns', 'annual revenue'],
  },
  {
    name: 'population',
    asks: /\binhabitants\b|\bpopulation\b|\bresidents\b|Einwohner\w*|habitants|habitantes/i,
    states: /\bpopulation\b|\binhabitants\b/i,
    value: 'figure',
    noun: noun('the population', 'die Einwohnerzahl', 'la population', 'la población'),
    wordings: ['population of', 'inhabitants'],
  },
  {
    name: 'river',
    asks: /\bwaterway\b|\briver\b|\bstream\b|\bFluss\b|\bGewässer\b|\brivière\b|\bfleuve\b|\brío\b/i,
    states: /\briver\b/i,
    value: 'name',
    noun: noun('the river', 'der Fluss', 'le fleuve', 'el río'),
    wordings: ['lies on the river', 'river'],
  },
  {
    name: 'harbour',
    asks: /\bport\b|\bharbour\b|\bHafen\w*|\bpuerto\b/i,
    states: /\bharbour\b/i,
    value: 'figure',
    unit: /metres/i,
    noun: noun(
      'the depth of the harbour',
      'die Tiefe des Hafens',
      'la profondeur du port',
      'la profundidad del puerto',
    ),
    wordings: ['harbour metres deep', 'depth of the harbour'],
  },
  {
    name: 'birthplace',
    asks: /\binto the world\b|\bbirthplace\b|\bborn\b|zur Welt|geboren|\bné\b|\bnée\b|\bnació\b/i,
    states: /\bborn in\b/i,
    value: 'name',
    noun: noun('the birthplace', 'der Geburtsort', 'le lieu de naissance', 'el lugar de nacimiento'),
    wordings: ['was born in', 'birthplace'],
  },
  {
    name: 'craft',
    asks: /\btrade\b|\bfirst work\w*|\bcareer\b|\bBeruf\b|\bmétier\b|\boficio\b/i,
    states: /\bfirst worked as an?\b/i,
    value: 'word',
    word: /\bas an? (\p{L}+)/u,
    noun: noun('the first trade', 'der erste Beruf', 'le premier métier', 'el primer oficio'),
    wordings: ['first worked as', 'craft'],
  },
  {
    name: 'maker',
    asks: /\bproduces?\b|\bmanufactured?\b|\bmakes\b|stellt\b|hergestellt|\bfabrique\b|\bfabrica\b/i,
    states: /\bmanufactured by\b|\bmade by\b/i,
    value: 'name',
    noun: noun('the maker', 'der Hersteller', 'le fabricant', 'el fabricante'),
    wordings: ['manufactured by', 'maker'],
  },
  {
    name: 'weight',
    asks: /\bheavy\b|\bweighs?\b|\bmass\b|\bschwer\b|\bpoids\b|\bpesa\b/i,
    states: /\bweighs\b|\bweight\b/i,
    value: 'figure',
    unit: /kilograms/i,
    noun: noun(
      'the weight in kilograms',
      'das Gewicht in Kilogramm',
      'le poids en kilogrammes',
      'el peso en kilogramos',
    ),
    wordings: ['weighs kilograms', 'weight'],
  },
  {
    name: 'price',
    asks: /\bmust one pay\b|\bcosts?\b|\basked for\b|\bkostet\b|\bcoûte\b|\bcuesta\b/i,
    states: /\bcosts\b|\bprice of\b/i,
    value: 'figure',
    unit: /crowns/i,
    noun: noun('the price in crowns', 'der Preis in Kronen', 'le prix en couronnes', 'el precio en coronas'),
    wordings: ['costs crowns', 'price'],
  },
  {
    name: 'opener',
    asks: /\binaugurated?\b|\bopened\b|eröffnet|\binauguré\b|\binauguró\b/i,
    states: /\bopened by\b/i,
    value: 'name',
    noun: noun('the opener', 'der Eröffner', 'le parrain', 'el inaugurador'),
    wordings: ['was opened by', 'opening'],
  },
  {
    name: 'place',
    asks: /\bhosts\b|\btakes place\b|\bheld\b|findet\b|\ba lieu\b|\bse celebra\b/i,
    states: /\bis held in\b/i,
    value: 'name',
    noun: noun('the place', 'der Ort', 'le lieu', 'el lugar'),
    wordings: ['is held in', 'place'],
  },
  {
    name: 'visitors',
    asks: /\battendance\b|\bvisitors\b|\bguests\b|Besucher\w*|\bvisiteurs\b|\bvisitantes\b/i,
    states: /\bdrew\b|\bvisitors\b/i,
    value: 'figure',
    unit: /visitors/i,
    noun: noun(
      'the number of visitors',
      'die Besucherzahl',
      'le nombre de visiteurs',
      'el número de visitantes',
    ),
    wordings: ['drew visitors', 'number of visitors'],
  },
  {
    name: 'herons',
    asks: /\bherons?\b|\bwading birds\b|Reiher\w*|\bhérons\b|\bgarzas\b/i,
    states: /\bherons\b/i,
    value: 'figure',
    unit: /herons/i,
    noun: noun('the number of herons', 'die Zahl der Reiher', 'le nombre de hérons', 'el número de garzas'),
    wordings: ['counted herons', 'heron count'],
  },
];

/** Statements that say what is not so. */
export const denial = /\b(?:not|never|wrongly|no longer|rumou?r)\b/i;

/** A question without a word of any is taken for the first. */
const tongues: readonly (readonly [Tongue, RegExp])[] = [
  ['en', /\b(?:by|how|whom?|where|which|what|when|the|of|is|did|does)\b/gi],
  ['de', /\b(?:wie|wer|wo|welche[nrs]?|hat|der|die|das|von|ist|im)\b/gi],
  ['fr', /\b(?:quel(?:le)?|qui|où|combien|est|le|la|du|de|a)\b|d[’']/gi],
  ['es', /¿|\b(?:cuánt[oa]s?|quién|dónde|qué|tiene|el|la|de|en)\b/gi],
];

export function tongueOf(question: string): Tongue {
  const counts = tongues.map(([tongue, words]) => [tongue, question.match(words)?.length ?? 0] as const);
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

export const phrases: Readonly<
  Record<
    Tongue,
    {
      is(what: string, subject: string, value: string): string;
      notFound: string;
      older(value: string): string;
    }
  >
> = {
  en: {
    is: (what, subject, value) => `For ${subject}, ${what} is ${value}`,
    notFound: 'The answer was not found in anything that was read.',
    older: (value) => `The sources contradict each other: an older one has ${value}`,
  },
  de: {
    is: (what, subject, value) => `Für ${subject} ist ${what} ${value}`,
    notFound: 'Die Antwort war in den gelesenen Quellen nicht zu finden.',
    older: (value) => `Die Quellen widersprechen sich: eine ältere hat ${value}`,
  },
  fr: {
    is: (what, subject, value) => `Pour ${subject}, ${what} est ${value}`,
    notFound: "La réponse n'a pas été trouvée dans les sources lues.",
    older: (value) => `Les sources se contredisent : une plus ancienne donne ${value}`,
  },
  es: {
    is: (what, subject, value) => `Para ${subject}, ${what} es ${value}`,
    notFound: 'La respuesta no se encontró en las fuentes leídas.',
    older: (value) => `Las fuentes se contradicen: una más antigua da ${value}`,
  },
};
