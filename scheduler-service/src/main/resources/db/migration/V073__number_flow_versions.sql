-- The versions of flows by the numbers that their definitions give themselves, as Conductor's do: each the one that was deployed last with it.
create table flow_number (
    workspace text not null,
    path text not null,
    number int not null check (number >= 0),
    hash text not null references flow (hash),
    primary key (workspace, path, number)
);

-- Of versions that were deployed before, only those are numbered to which a path leads. What is no JSON, which only Conductor's dialect numbers, is the first.
do $$
declare
    deployed record;
    given int;
begin
    for deployed in
        select p.workspace, p.path, p.hash, f.dialect, f.definition from flow_path p join flow f on f.hash = p.hash
    loop
        given := 1;
        if deployed.dialect = 'conductor' then
            begin
                given := coalesce((deployed.definition::json ->> 'version')::int, 1);
            exception when others then
                given := 1;
            end;
        end if;
        insert into flow_number values (deployed.workspace, deployed.path, greatest(given, 0), deployed.hash);
    end loop;
end $$;
