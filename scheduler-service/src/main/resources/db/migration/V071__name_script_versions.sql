-- The path under which a version was stored last, for people: runs are listed by it and stack traces show it. Empty for versions that were stored
-- without one, or before this column came.
alter table script_version add column path text not null default '';
