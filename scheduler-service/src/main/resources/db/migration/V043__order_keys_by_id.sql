-- Ids grow with time: keys that begin with them are appended to. With the bucket first each row went to a page of its own.
alter table job_queue drop constraint job_queue_pkey;
alter table job_queue add constraint job_queue_pkey primary key (id, bucket);

alter table job_history drop constraint job_history_pkey;
alter table job_history add constraint job_history_pkey primary key (id, bucket);
