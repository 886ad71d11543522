-- Bytes of all complete blobs of the workspace; 0 means no limit.
alter table workspace_quota add column blob_bytes_max bigint not null default 0 check (blob_bytes_max >= 0);
