import { describeRoutes } from '@errand/platform';

export const describe = describeRoutes(() => import('./route-descriptions.ts'));
