-- The folder for which a step acts: that of its run's name. The name of a root tells its folder, so that roots have none here.
alter table job_queue add column folder text not null default '';
update job_queue step set folder = split_part(root.name, '/', 1) from job_queue root
where step.step_key <> '' and root.bucket = step.bucket and root.id = step.run_id and strpos(root.name, '/') > 0;
