import type { VisionDeps } from '@errand/agent';
import type { RunsDeps } from '../deps.ts';

export interface UploadSettings {
  uploadsEnabled: boolean;
  documentConversionEnabled: boolean;
  /** Signs upload ids. */
  linkSecret: string;
  vision: VisionDeps;
  /** The provider cannot follow links to this machine: images go to it as bytes in a data URL. */
  inlineImages: boolean;
  /** How long reading a file may take before the request is refused. */
  readMilliseconds: number;
}

export interface UploadDeps extends RunsDeps {
  uploads: UploadSettings;
}
