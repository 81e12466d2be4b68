import { registerHooks } from 'node:module';

// The repository's own TypeScript (7) has no interface for programs yet. Generators get the one that is installed here.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'typescript' ? { ...context, parentURL: import.meta.url } : context),
});
