-- Input of one step of the run, in place of the one that the flow computes: key of the step, and a JSON object.
alter table run_option
    add column step_input_of text,
    add column step_input json;
alter table run_option add constraint an_input_is_of_a_step check ((step_input is null) = (step_input_of is null));
alter table run_option drop constraint an_option_is_asked_for;
alter table run_option add constraint an_option_is_asked_for
    check (env is not null or job_limit is not null or start_within_millis is not null or started_by is not null
        or step_input is not null);
