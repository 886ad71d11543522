-- When a version was last deployed, stored, taken off a path, or looked up by its hash; the last one may be noted up to a day late. Versions that
-- nobody has used for long are collected, oldest first.
alter table flow add column used_at timestamptz not null default now();
alter table script add column used_at timestamptz not null default now();

create index flow_age on flow (used_at);
create index script_age on script (used_at);

-- What is noted of a version goes with it.
alter table flow_version drop constraint flow_version_hash_fkey;
alter table flow_version add constraint flow_version_hash_fkey foreign key (hash) references flow (hash) on delete cascade;
alter table flow_use drop constraint flow_use_hash_fkey;
alter table flow_use add constraint flow_use_hash_fkey foreign key (hash) references flow (hash) on delete cascade;
alter table script_version drop constraint script_version_hash_fkey;
alter table script_version add constraint script_version_hash_fkey foreign key (hash) references script (hash) on delete cascade;
create index flow_version_hash on flow_version (hash);
create index flow_use_hash on flow_use (hash);
create index script_version_hash on script_version (hash);
