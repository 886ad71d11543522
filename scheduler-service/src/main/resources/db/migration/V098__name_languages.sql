-- Languages are open: those beside the first two have a name in place of a number.
alter table script drop constraint script_language_check;
alter table script add column language_name text;
alter table script add constraint script_language_check
    check (case when language = 0 then language_name is not null else language between 1 and 2 and language_name is null end);
