/** Every answer ends with one of these, so that nobody takes a stand-in for a model. */
export const notice =
  'This answer comes from a stand-in, which follows rules and is no language model. Set real models with ' +
  'MODEL_BASE_URL, MODEL_API_KEY and MODEL_ID, or with a catalogue file named in MODEL_CATALOGUE.';

export const briefNotice = '(Stand-in; set MODEL_BASE_URL, MODEL_API_KEY and MODEL_ID, or MODEL_CATALOGUE.)';
