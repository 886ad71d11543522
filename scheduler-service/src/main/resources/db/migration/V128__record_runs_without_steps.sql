-- Readers of what happens to runs alone cost no event for each step. A row with the scope 'steps' records both.
alter table event_recording add column scope text not null default 'steps' check (scope in ('runs', 'steps'));
alter table event_recording drop constraint event_recording_pkey, add primary key (workspace, scope);
