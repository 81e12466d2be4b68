/** What tests of other rooms reach of this one. Nothing else imports it. */
export { seeded } from './calibration/seeded.ts';
export { systemOneErrors } from './dialects/system-one/errors.ts';
export { readLabels } from './engines/label-reader/read-labels.ts';
export { draw } from './test-support/draw.ts';
export { createFakeModel, type FakeModel } from './test-support/fake-model.ts';
export { serveVllm } from './test-support/fake-servers.ts';
export { decisionModel, requestOf, upstreamDeps } from './test-support/models.ts';
