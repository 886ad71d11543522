alter table run_option
    -- longest time between the acceptance of the run and its start
    add column start_within_millis bigint,
    -- end of that time; null once it is known whether the run has started
    add column start_by timestamptz;

alter table run_option drop constraint an_option_is_asked_for;
alter table run_option add constraint an_option_is_asked_for
    check (env is not null or job_limit is not null or start_within_millis is not null);

create index run_option_start_by on run_option (start_by) where start_by is not null;
