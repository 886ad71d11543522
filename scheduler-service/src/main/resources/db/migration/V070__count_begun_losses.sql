-- Of the losses: those during which the job had begun, or may have. The others use up its attempt, too, and do not speak against it.
alter table job_queue add column begun_losses smallint not null default 0;

update job_queue set begun_losses = losses where losses > 0;
