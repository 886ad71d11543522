-- Complete blobs of a workspace, to list them and to add up their bytes.
create index blob_workspace on blob (workspace, id) include (bytes) where bytes is not null and not is_doomed;
