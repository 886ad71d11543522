-- Trigger that started the run: its kind, a blank and its path, as they were then.
alter table run_option add column triggered_by text;
alter table run_option drop constraint an_option_is_asked_for;
alter table run_option add constraint an_option_is_asked_for
    check (env is not null or job_limit is not null or start_within_millis is not null or started_by is not null
        or triggered_by is not null or step_input is not null);
