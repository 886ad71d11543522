-- Ends the transaction where a statement touched another number of rows than its writer knew it must: the lease or the flow
-- version it relied on has changed. The lane then does the batch again, item by item.
create function expect_rows(statement_name text, expected bigint, actual bigint) returns bigint
    language plpgsql
    immutable
as $$
begin
    if actual is distinct from expected then
        raise exception '% touched % rows (expected: %)', statement_name, actual, expected using errcode = 'MR001';
    end if;
    return actual;
end
$$;
