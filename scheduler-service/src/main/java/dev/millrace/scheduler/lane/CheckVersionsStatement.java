package dev.millrace.scheduler.lane;

import dev.millrace.scheduler.queue.AssumedVersion;
import dev.millrace.scheduler.queue.AssumedVersion.Kind;
import java.sql.SQLException;
import java.util.List;

/** Verifies that paths still lead to the versions that submissions rely on. */
record CheckVersionsStatement(List<AssumedVersion> assumed) implements LaneStatement {
    static final Section<AssumedVersion, CheckVersionsStatement> SECTION = new Section<>(
            FlushOrder.CHECK_VERSIONS,
            assumed -> new CheckVersionsStatement(assumed.stream().distinct().toList()));

    private static final RowsSql SQL = new RowsSql("""
            select expect_rows('check_versions', ?, (
                select count(*)
                from $rows(is_flow int4, workspace text, path text, hash text) as assumed
                where assumed.hash = case is_flow
                    when 0 then (select s.hash from script_path s where s.workspace = assumed.workspace and s.path = assumed.path)
                    else (select f.hash from flow_path f where f.workspace = assumed.workspace and f.path = assumed.path)
                end))
            """);

    @Override
    public RowsSql sql() {
        return SQL;
    }

    @Override
    public int rows() {
        return assumed.size();
    }

    @Override
    public void bind(RowBinder binder) throws SQLException {
        binder.number(assumed.size());
        binder.integers(assumed, version -> version.kind() == Kind.FLOW ? 1 : 0);
        binder.texts(assumed, version -> version.workspace().name());
        binder.texts(assumed, AssumedVersion::path);
        binder.texts(assumed, AssumedVersion::hash);
    }
}
