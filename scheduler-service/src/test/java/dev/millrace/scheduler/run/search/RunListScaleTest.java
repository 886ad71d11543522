package dev.millrace.scheduler.run.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run.State;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Lists runs among ten million, with each filter that the console offers: any page must come within 200 ms. The property
 * {@code millrace.test.runs} takes another number of runs.
 */
@Tag("nightly")
class RunListScaleTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();
    private static final Duration PAGE_MAX = Duration.ofMillis(200);
    private static final Duration COUNT_MAX = Duration.ofMillis(700);
    private static final int RUNS = Integer.getInteger("millrace.test.runs", 10_000_000);
    private static final int DAYS = 10;
    /** One run in so many has a rare name, has failed, or was canceled. */
    private static final int RARE = 100_000;

    private static final int PAGE = 100;
    /** Postgres chooses a plan for all values after some executions with the same statement. */
    private static final int ROUNDS = 12;

    private static final Workspace WORKSPACE = Workspace.of("default");

    private final RunSearches runs = new RunSearches(DATABASE, new StartedJobs());

    @BeforeAll
    static void fillTables() {
        for (int day = 0; day < DAYS; day++) {
            POSTGRES.execute("""
                    insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt,
                        input, result, error_name, error_message, error_stack, created_at, started_at, ended_at)
                    select 0, id, id, 'default', 3, 'hash',
                        case when n %% %3$d = 7 then 'rare/flow' else 'flow/' || n %% 20 end, '', 'flow', status, 1,
                        '{"customer": 42}', '{"rows": 1}', case when status <> 1 then 'Error' end,
                        case when status <> 1 then 'wrong' end, case when status <> 1 then '' end,
                        at, at, at + interval '1 second'
                    from (
                        select n, case n %% %3$d when 11 then 2 when 13 then 3 else 1 end as status,
                            to_timestamp(1767225600 + %1$d * 86400 + n * 86400.0 / %2$d) as at,
                            (lpad(to_hex((1767225600000 + %1$d * 86400000::bigint + (n * 86400000.0 / %2$d)::bigint)), 12, '0')
                                || '7000' || '8' || lpad(to_hex(n::bigint), 15, '0'))::uuid as id
                        from generate_series(1, %2$d) n
                    ) as made
                    """.formatted(day, RUNS / DAYS, RARE));
        }
        POSTGRES.execute("vacuum analyze job_history");
    }

    @Test
    void listsAnyPageInTime() {
        Map<String, ListRunsRequest> lists = new TreeMap<>(Map.of(
                "all", ListRunsRequest.getDefaultInstance(),
                "failed", list(State.STATE_FAILED),
                "failed or canceled", list(State.STATE_FAILED, State.STATE_CANCELED),
                "succeeded", list(State.STATE_SUCCEEDED),
                "running", list(State.STATE_RUNNING),
                "often", named("flow/3"),
                "rare", named("rare/flow"),
                "none", named("no/flow"),
                "often and failed",
                        named("flow/11").toBuilder()
                                .addStates(State.STATE_FAILED)
                                .build()));
        List<String> late = new ArrayList<>();
        lists.forEach((name, request) -> {
            long millis = slowestPage(request).toMillis();
            long counting = countMillis(request);
            System.out.println(name + ": " + millis + " ms, count " + counting + " ms");
            if (counting > COUNT_MAX.toMillis()) {
                late.add("count of " + name + ": " + counting + " ms");
            }
            if (millis > PAGE_MAX.toMillis()) {
                late.add(name + ": " + millis + " ms");
            }
        });

        assertThat(late).isEmpty();
    }

    /** The longest of some pages, without the first, which fills caches. */
    private Duration slowestPage(ListRunsRequest request) {
        RunSearch search = SearchReader.read(request, Optional.empty());
        Duration slowest = Duration.ZERO;
        String token = "";
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            RunPage page = runs.list(WORKSPACE, search, PageRequest.of(PAGE, token));
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            slowest = round > 0 && took.compareTo(slowest) > 0 ? took : slowest;
            token = page.nextToken();
        }
        return slowest;
    }

    private long countMillis(ListRunsRequest request) {
        RunSearch search = SearchReader.read(request, Optional.empty());
        long begin = System.nanoTime();
        runs.count(WORKSPACE, search);
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }

    private static ListRunsRequest list(State... states) {
        return ListRunsRequest.newBuilder().addAllStates(List.of(states)).build();
    }

    private static ListRunsRequest named(String name) {
        return ListRunsRequest.newBuilder().setName(name).build();
    }
}
