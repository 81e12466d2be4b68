export { perConnection } from '@errand/platform';
