import { NewSchedule } from './new-schedule.tsx';
import { ScheduleDetail } from './schedule-detail.tsx';
import { ScheduleList } from './schedule-list.tsx';
import './schedules.css';

export function SchedulesPage({ id }: { id?: string }) {
  if (id === undefined) return <ScheduleList />;
  return id === 'new' ? <NewSchedule /> : <ScheduleDetail key={id} id={id} />;
}
