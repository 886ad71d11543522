package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowsSqlTest {
    private static final RowsSql SQL = new RowsSql("""
            update jobs set version = r.version
            from $rows(id uuid,
                       version int8) as r
            where jobs.id = r.id and jobs.id <> all (?::uuid[])""");

    @Test
    void hasAnArrayForEachColumnOfManyRows() {
        assertThat(SQL.ofRows()).isEqualTo("""
                update jobs set version = r.version
                from unnest(?::uuid[], ?::int8[]) as r(id, version)
                where jobs.id = r.id and jobs.id <> all (?::uuid[])""");
    }

    @Test
    void hasAValueForEachColumnOfOneRow() {
        assertThat(SQL.ofOneRow()).isEqualTo("""
                update jobs set version = r.version
                from (values (?::uuid, ?::int8)) as r(id, version)
                where jobs.id = r.id and jobs.id <> all (?::uuid[])""");
    }

    @Test
    void mayHaveSeveralListsOfRows() {
        RowsSql several = new RowsSql("select * from $rows(a int4) as x, $rows(b text) as y");
        assertThat(several.ofRows()).isEqualTo("select * from unnest(?::int4[]) as x(a), unnest(?::text[]) as y(b)");
        assertThat(several.ofOneRow())
                .isEqualTo("select * from (values (?::int4)) as x(a), (values (?::text)) as y(b)");
    }

    @Test
    void mayHaveNoRows() {
        RowsSql none = new RowsSql("select 1 where ? = any (?::int4[])");
        assertThat(none.ofRows()).isEqualTo(none.ofOneRow()).isEqualTo("select 1 where ? = any (?::int4[])");
    }
}
