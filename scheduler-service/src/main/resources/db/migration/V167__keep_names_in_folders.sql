-- What a caller or a job names counts in the folder for which it acts. '/' stands for request ids from before: they count in every folder.
alter table submission add column folder text not null default '/';
alter table submission drop constraint submission_pkey;
alter table submission add primary key (workspace, request_id, folder);

create function folder_of_job(of_bucket smallint, of_id uuid) returns text language sql stable as $$
    select coalesce(
        (select case when q.step_key <> '' then q.folder when strpos(q.name, '/') > 0 then split_part(q.name, '/', 1) else '' end
            from job_queue q where q.bucket = of_bucket and q.id = of_id),
        (select case when strpos(r.name, '/') > 0 then split_part(r.name, '/', 1) else '' end
            from job_history h join job_history r on r.bucket = h.bucket and r.id = h.run_id
            where h.bucket = of_bucket and h.id = of_id),
        '')
$$;

alter table mutex drop constraint mutex_name_check;
update mutex set name = folder_of_job(bucket, job_id) || '/' || name;

-- The line of a limit: @limit/WORKSPACE/FOLDER/KEY in place of @limit/WORKSPACE/KEY.
update limited_begin set limit_key = regexp_replace(limit_key, '^(@limit/[^/]*/)', '\1' || folder_of_job(bucket, job_id) || '/')
where limit_key like '@limit/%';
update job_queue set
    tag = regexp_replace(tag, '^(@limit/[^/]*/)', '\1' || folder_of_job(bucket, id) || '/'),
    limit_queue = regexp_replace(limit_queue, '^(@limit/[^/]*/)', '\1' || folder_of_job(bucket, id) || '/')
where limit_queue like '@limit/%';

drop function folder_of_job(smallint, uuid);
