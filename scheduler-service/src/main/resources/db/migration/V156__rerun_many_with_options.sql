-- Of a rerun of many runs: the version that the new runs execute, and the input that their first step gets; absent for none.
alter table bulk_operation
    add column flow_hash text,
    add column step_input json;
