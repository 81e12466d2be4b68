import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DecisionDeps } from '@errand/decisions';
import type { Clock, Config, TableNames } from '@errand/platform';
import type { CreateRunDeps } from '@errand/runs';

export interface ScheduleStoreDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  clock: Clock;
}

/** For the routes that manage schedules. */
export interface ScheduleRoutesDeps extends CreateRunDeps {
  location: Config['location'];
}

/** For whoever starts the runs of schedules. */
export interface TickDeps extends CreateRunDeps {
  decisions: DecisionDeps;
}
