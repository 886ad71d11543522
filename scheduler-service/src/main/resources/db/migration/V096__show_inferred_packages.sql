-- Packages that were inferred from the imports of a script, for people; empty if the script declares what it needs.
alter table package_lock add column inferred text[] not null default '{}';
