import type { Language } from '../score/statements.ts';
import type { Fact, Relation } from '../world/facts.ts';

/**
 * How people ask for facts: in other words than the pages', in four languages. `E` is the subject, `Y` the year. No page of
 * the corpus is made of these.
 */
const wordings: Readonly<Record<Relation, Readonly<Record<Language, string>>>> = {
  founder: {
    en: 'Which entrepreneur set up E?',
    de: 'Wer hat E gegründet?',
    fr: 'Qui a créé E ?',
    es: '¿Quién fundó E?',
  },
  seat: {
    en: 'Where does E have its head office?',
    de: 'Wo hat E seinen Sitz?',
    fr: 'Où se trouve le siège de E ?',
    es: '¿Dónde tiene E su sede?',
  },
  employees: {
    en: 'How big is the workforce of E?',
    de: 'Wie groß ist die Belegschaft von E?',
    fr: "Quel est l'effectif de E ?",
    es: '¿Cuántos trabajadores tiene E?',
  },
  revenue: {
    en: 'What turnover did E report for Y?',
    de: 'Welchen Umsatz erzielte E im Jahr Y?',
    fr: "Quel chiffre d'affaires E a-t-il réalisé en Y ?",
    es: '¿Cuánto facturó E en Y?',
  },
  population: {
    en: 'How many residents live in E?',
    de: 'Wie viele Einwohner hat E?',
    fr: "Combien d'habitants compte E ?",
    es: '¿Cuántos habitantes tiene E?',
  },
  river: {
    en: 'Which waterway runs past E?',
    de: 'An welchem Fluss liegt E?',
    fr: 'Sur quelle rivière se trouve E ?',
    es: '¿Junto a qué río está E?',
  },
  harbour: {
    en: 'How much water is there in the port of E?',
    de: 'Wie tief ist der Hafen von E?',
    fr: 'Quelle profondeur a le port de E ?',
    es: '¿Qué profundidad tiene el puerto de E?',
  },
  birthplace: {
    en: 'In which place did E come into the world?',
    de: 'Wo kam E zur Welt?',
    fr: 'Où est né E ?',
    es: '¿Dónde nació E?',
  },
  craft: {
    en: 'What was the earliest trade of E?',
    de: 'Welchen Beruf übte E zuerst aus?',
    fr: 'Quel fut le premier métier de E ?',
    es: '¿Cuál fue el primer oficio de E?',
  },
  maker: {
    en: 'Which firm produces the E?',
    de: 'Welche Firma stellt E her?',
    fr: 'Qui fabrique E ?',
    es: '¿Quién fabrica E?',
  },
  weight: {
    en: 'How heavy is the E?',
    de: 'Wie schwer ist E?',
    fr: 'Quel est le poids de E ?',
    es: '¿Cuánto pesa E?',
  },
  price: {
    en: 'How much must one pay for the E?',
    de: 'Wie viel kostet E?',
    fr: 'Combien coûte E ?',
    es: '¿Cuánto cuesta E?',
  },
  place: {
    en: 'Which town hosts the E?',
    de: 'Wo findet E statt?',
    fr: 'Où a lieu E ?',
    es: '¿Dónde se celebra E?',
  },
  opener: {
    en: 'Who inaugurated the E?',
    de: 'Wer hat E eröffnet?',
    fr: 'Qui a inauguré E ?',
    es: '¿Quién inauguró E?',
  },
  visitors: {
    en: 'What attendance did the E reach?',
    de: 'Wie viele Besucher kamen zu E?',
    fr: 'Combien de visiteurs E a-t-il attirés ?',
    es: '¿Cuántos visitantes tuvo E?',
  },
};

export const languages: readonly Language[] = ['en', 'de', 'fr', 'es'];

export const ask = (
  { relation, about, also = '' }: Pick<Fact, 'relation' | 'about' | 'also'>,
  language: Language,
) => wordings[relation][language].replace(/\bE\b/, about).replace(/\bY\b/, also);
