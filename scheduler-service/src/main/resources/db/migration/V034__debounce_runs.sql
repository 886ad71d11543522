-- Names a run that waits for further submissions which replace its input: present on the roots of such runs only. The bucket of the run follows
-- from the key, so that the key is unique across buckets, too.
alter table job_queue add column debounce_key text;

create unique index job_queue_debounce on job_queue (bucket, debounce_key) where state = 7 and debounce_key is not null;
