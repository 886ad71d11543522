-- State 5: waits for events, with run_after as its time limit where it has one. A wait for a time is in state 3.
alter table job_queue drop constraint job_queue_state_check;
alter table job_queue add constraint job_queue_state_check check (state between 1 and 5);
alter table job_queue add constraint only_waits_wait_for_events check (state <> 5 or kind = 8);

-- Jobs and waits become due in different ways, so that each is looked for alone.
drop index job_queue_delayed;
create index job_queue_delayed on job_queue (run_after) where state = 3 and kind <> 8;
create index job_queue_due_waits on job_queue (run_after) where kind = 8 and run_after is not null;

-- What came from outside for a run: kept until a wait takes it. Each signal also raises the version of the run's flow, so that a wait
-- that begins meanwhile is refused and finds it.
create table signal (
    bucket smallint not null,
    id uuid not null,
    run_id uuid not null,
    -- the name or the step key that it is for; the other is empty
    name text not null,
    step_key text not null,
    -- 1 resume, 2 deny, 3 complete
    kind smallint not null check (kind between 1 and 3),
    payload json not null,
    who text not null,
    request_id text not null,
    -- the wait that took it
    wait_id uuid,
    created_at timestamptz not null default now(),
    primary key (bucket, id),
    constraint signals_are_for_one_thing check ((name = '') <> (step_key = ''))
);

create unique index signal_request on signal (run_id, request_id);
create index signal_wait on signal (run_id, wait_id);

-- Secrets of the installation, made by whoever needs one first.
create table server_secret (
    name text primary key,
    value bytea not null,
    created_at timestamptz not null default now()
);
