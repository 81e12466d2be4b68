export * from './model-server.ts';
