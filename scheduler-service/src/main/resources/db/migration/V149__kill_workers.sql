-- Whether a worker is for trials, and so obeys an owner who wants to see it crash.
alter table worker_session add column killable boolean not null default false;
