-- Secrets and resources to which triggers refer, so that they are not deleted without notice and their lack is told.
create table trigger_use (
    trigger_id uuid not null references trigger (id) on delete cascade,
    workspace text not null,
    -- 3: a secret, 4: a resource, as in flow_use
    kind smallint not null check (kind in (3, 4)),
    path text not null,
    primary key (trigger_id, kind, path)
);
create index trigger_use_path on trigger_use (workspace, kind, path);

-- The texts of a field of a message in the format of Protobuf. The settings of triggers have no groups.
create function pg_temp.texts_of(message bytea, field int) returns setof text language plpgsql as $$
declare
    place int := 0;
    tag int;
    size int;
begin
    while place < length(message) loop
        select value, next into tag, place from pg_temp.varint_at(message, place);
        if tag & 7 = 0 then
            select next into place from pg_temp.varint_at(message, place);
        elsif tag & 7 = 1 then
            place := place + 8;
        elsif tag & 7 = 5 then
            place := place + 4;
        else
            select value, next into size, place from pg_temp.varint_at(message, place);
            if tag >> 3 = field then
                return next convert_from(substring(message from place + 1 for size), 'UTF8');
            end if;
            place := place + size;
        end if;
    end loop;
end $$;

create function pg_temp.varint_at(message bytea, place int, out value int, out next int) language plpgsql as $$
declare
    shift int := 0;
begin
    value := 0;
    next := place;
    loop
        -- Tags and sizes are small; the rest of a large number does not matter.
        if shift < 28 then
            value := value | ((get_byte(message, next) & 127) << shift);
        end if;
        next := next + 1;
        shift := shift + 7;
        exit when get_byte(message, next - 1) < 128;
    end loop;
end $$;

insert into trigger_use (trigger_id, workspace, kind, path)
select distinct t.id, t.workspace, 3, secret from trigger t, pg_temp.texts_of(t.settings, 2) as secret
where t.kind = 'webhook'
union all
select t.id, t.workspace, 4, connection from trigger t, pg_temp.texts_of(t.settings, 1) as connection
where t.kind in ('kafka', 'postgres', 'mqtt');
