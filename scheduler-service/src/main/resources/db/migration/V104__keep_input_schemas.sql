-- JSON Schema of the inputs that a version of a script takes; null while nobody has read or given it.
alter table script_version add column input_schema text;
-- Where the schema comes from: 1 the signature of the script, 2 its author. Null without a schema.
alter table script_version add column input_schema_origin smallint;
alter table script_version add constraint input_schema_has_origin check ((input_schema is null) = (input_schema_origin is null));
