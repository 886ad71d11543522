-- The sweeps of tables that grow: when each is due, and how the last one went. One row for each rule, locked by the scheduler that works on it.
create table retention_sweep (
    -- the table that the rule is about
    rule text primary key,
    due_at timestamptz not null default now(),
    -- the last sweep that came to its end, and how many rows it removed
    swept_at timestamptz,
    removed_rows bigint not null default 0,
    -- the failure since then
    failed_at timestamptz,
    error text,
    constraint failures_have_an_error check ((failed_at is null) = (error is null))
) with (fillfactor = 50);

-- Sweeps find the oldest rows by these.
create index submission_age on submission (created_at);
create index erased_run_age on erased_run (ended_at);
create index run_data_run on run_data (run_id);
drop index run_data_age;

-- Logs get a partition for each day, by the time inside the id of the job, as the history has; old days are dropped.
alter table job_log rename to job_log_until_now;
alter index job_log_pkey rename to job_log_until_now_pkey;
alter index job_log_run rename to job_log_until_now_run;
create sequence job_log_position;

create table job_log (
    run_id uuid not null,
    job_id uuid not null,
    step_key text not null,
    attempt integer not null,
    -- 1 stdout, 2 stderr, 3 system, 4 trace
    stream smallint not null,
    -- position within the attempt and stream; system chunks of the scheduler count on their own
    sequence bigint not null,
    -- order of arrival
    position bigint not null default nextval('job_log_position'),
    text text not null,
    time timestamptz not null default now(),
    primary key (job_id, attempt, stream, sequence)
) partition by range (job_id);

create index job_log_run on job_log (run_id, position);
create table job_log_default partition of job_log default;

-- What is there becomes the partition of today, which this once begins with the first id; so all of it is dropped when today is old.
do $$
declare
    today date := (now() at time zone 'UTC')::date;
    tomorrow_id uuid := (lpad(to_hex((extract(epoch from (today + 1)::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
    today_table text := 'job_log_' || to_char(today, 'YYYYMMDD');
begin
    if not exists (select from job_log_until_now) then
        drop table job_log_until_now;
        return;
    end if;
    execute format('select setval(''job_log_position'', last_value, is_called) from %s', pg_get_serial_sequence('job_log_until_now', 'position'));
    alter table job_log_until_now alter column position drop identity;
    alter table job_log_until_now alter column position set default nextval('job_log_position');
    alter table job_log_until_now drop constraint job_log_stream_check;
    with later as (delete from job_log_until_now where job_id >= tomorrow_id returning *)
    insert into job_log_default select * from later;
    execute format('alter table job_log_until_now rename to %I', today_table);
    execute format('alter table job_log attach partition %I for values from (minvalue) to (%L)', today_table, tomorrow_id);
end $$;
