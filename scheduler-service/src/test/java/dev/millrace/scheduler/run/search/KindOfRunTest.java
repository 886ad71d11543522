package dev.millrace.scheduler.run.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.noCondition;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunState;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jooq.conf.ParamType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lists leave out runs that deployments start, also those of rows that earlier versions wrote. */
class KindOfRunTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();
    private static final int RUNS = 20_000;
    private static final Pattern LEFT_OUT = Pattern.compile("Rows Removed by Filter: (\\d+)");

    private final RunSearches runs = new RunSearches(DATABASE, new StartedJobs());

    @BeforeAll
    static void fill() {
        POSTGRES.execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt,
                    created_at, ended_at)
                select 0, id, id, 'kinds', case when n %% 100 = 99 then 2 else 1 end, 'x',
                    case n %% 2000 when 1 then 'a.py (packages)' when 2 then 'a.ts (schema)' when 3 then 'a.ts (types)' when 1999 then 'b (schema)' else 'a.py' end,
                    '', 'python', 1, 1, now(), now()
                from (select n, ('00000000-0000-7000-8000-' || lpad(to_hex(n), 8, '0') || '0000')::uuid as id
                    from generate_series(1, %d) n) made
                """.formatted(RUNS));
        POSTGRES.execute("analyze job_history");
    }

    @Test
    void aListHasRunsOfItsKind() {
        assertThat(names(KindOfRun.PREPARATION))
                .hasSize(30)
                .containsOnly("a.py (packages)", "a.ts (schema)", "a.ts (types)");
        assertThat(names(KindOfRun.WORK)).hasSize(100).containsOnly("a.py", "b (schema)");
        assertThat(names(KindOfRun.ALL)).hasSize(100);
    }

    @Test
    void fewRunsAmongManyAreFoundByTheirIndex() {
        assertThat(leftOut(KindOfRun.PREPARATION)).isLessThan(10);
        assertThat(leftOut(KindOfRun.WORK)).isLessThan(200);
    }

    private static int leftOut(KindOfRun kind) {
        String plan = DATABASE.run(dsl -> {
            String query = RunListStore.ended(
                            dsl,
                            Workspace.of("kinds"),
                            search(kind),
                            search(kind).ends(),
                            noCondition(),
                            100)
                    .getSQL(ParamType.INLINED);
            return String.join("\n", dsl.fetch("explain (analyze) " + query).getValues(0, String.class));
        });
        return LEFT_OUT.matcher(plan)
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .sum();
    }

    private List<String> names(KindOfRun kind) {
        return runs.list(Workspace.of("kinds"), search(kind), PageRequest.of(100, "")).runs().stream()
                .map(Run::name)
                .toList();
    }

    private static RunSearch search(KindOfRun kind) {
        return new RunSearch(
                EnumSet.allOf(RunState.class),
                kind,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                List.of());
    }
}
