import { enableCompileCache } from 'node:module';
import path from 'node:path';

// A start would else strip and compile every module anew, which is half of its work. Where the folder cannot be written, it does.
enableCompileCache(path.resolve(import.meta.dirname, '../../node_modules/.cache/errand'));
await import('./command.ts');
