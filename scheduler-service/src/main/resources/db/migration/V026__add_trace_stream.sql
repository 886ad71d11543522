-- 4 trace: what user code says about its step on purpose.
alter table job_log drop constraint job_log_stream_check;
alter table job_log add constraint job_log_stream_check check (stream between 1 and 4);
