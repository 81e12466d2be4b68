import type { Model } from '@errand/models';

const defaultContextTokens = 32_768;

/** The context of a model that works on runs. */
export const contextOf = ({ contextTokens = defaultContextTokens }: Model): number => contextTokens;
