package dev.millrace.scheduler.run.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.queue.StartedJobs;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.run.IdTimes;
import dev.millrace.scheduler.run.Run;
import dev.millrace.scheduler.run.RunState;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PayloadSearchTest {
    @RegisterExtension
    private static final MigratedDatabase POSTGRES = new MigratedDatabase();

    private static final Database DATABASE = POSTGRES.database();
    private static final int DAY_SECONDS = 86_400;
    private static final Set<RunState> ANY = EnumSet.allOf(RunState.class);

    private final RunSearches runs = new RunSearches(DATABASE, new StartedJobs());

    @Test
    void findsRunsByInputAndOutputNewestFirst() {
        ended("both", 1, "{\"id\": 42}", "{\"status\": \"done\"}");
        ended("both", 2, "{\"id\": 42}", "{\"status\": \"open\"}");
        ended("both", 3, "{\"id\": 43}", "{\"status\": \"done\"}");
        live("both", 4, "{\"id\": 42}");

        assertThat(names("both", ANY, List.of("id=42"), List.of())).containsExactly("run 4", "run 2", "run 1");
        assertThat(names("both", ANY, List.of("id=42"), List.of("status=done"))).containsExactly("run 1");
        assertThat(names("both", ANY, List.of(), List.of("status=done"))).containsExactly("run 3", "run 1");
        assertThat(names("both", EnumSet.of(RunState.QUEUED), List.of("id=42"), List.of()))
                .containsExactly("run 4");
        assertThat(names("both", EnumSet.of(RunState.RUNNING, RunState.FAILED), List.of("id=42"), List.of()))
                .isEmpty();
        assertThat(names("elsewhere", ANY, List.of("id=42"), List.of())).isEmpty();
    }

    @Test
    void combinesPayloadsWithNameAndTime() {
        for (int hour = 0; hour < 10; hour++) {
            ended("when", hour * 3_600, "{\"id\": 42}", "1");
        }

        assertThat(runs.list(
                                Workspace.of("when"),
                                search(Optional.of("run 7200"), Optional.empty(), Optional.empty()),
                                page(10, ""))
                        .runs())
                .extracting(Run::name)
                .containsExactly("run 7200");
        assertThat(runs.list(
                                Workspace.of("when"),
                                search(Optional.empty(), Optional.of(at(3 * 3_600)), Optional.of(at(5 * 3_600))),
                                page(10, ""))
                        .runs())
                .extracting(Run::name)
                .containsExactly("run 14400", "run 10800");
    }

    @Test
    void findsNothingInWhatIsHostileMissingOrErased() {
        ended("hostile", 1, "{\"id\": 42, \"text\": \"a\\u0000b\"}", "\"\\ud800\"");
        ended("hostile", 2, "{\"id\": 42, \"deep\": " + "[".repeat(900) + "]".repeat(900) + "}", "1");
        ended("hostile", 3, "{\"id\": 1, \"id\": 42}", "1e9999");
        ended("hostile", 4, null, null);

        assertThat(names("hostile", ANY, List.of("id=42"), List.of())).containsExactly("run 3", "run 2", "run 1");
        assertThat(names("hostile", ANY, List.of(), List.of("=1"))).containsExactly("run 2");
        assertThat(names("hostile", ANY, List.of(), List.of("=null"))).isEmpty();
    }

    @Test
    void pagesWithoutLossOrRepetition() {
        for (int second = 0; second < 30; second++) {
            if (second % 3 == 0) {
                live("pages", second, "{\"id\": " + second % 2 + "}");
            } else {
                ended("pages", second, "{\"id\": " + second % 2 + "}", "1");
            }
        }

        List<String> found = new ArrayList<>();
        String token = "";
        do {
            RunPage page = runs.list(Workspace.of("pages"), search(List.of("id=1"), List.of(), ANY), page(4, token));
            assertThat(page.runs()).hasSizeLessThanOrEqualTo(4);
            assertThat(page.searchedBackTo().isPresent())
                    .isEqualTo(!page.nextToken().isEmpty());
            page.runs().forEach(run -> found.add(run.name()));
            token = page.nextToken();
        } while (!token.isEmpty());

        List<String> expected = new ArrayList<>();
        for (int second = 29; second > 0; second -= 2) {
            expected.add("run " + second);
        }
        assertThat(found).containsExactlyElementsOf(expected);
    }

    @Test
    void stopsWhereAPageHasLookedAtEnough() {
        int runsMax = PayloadSearchStore.RUNS_LOOKED_AT_MAX;
        insertMany("many", runsMax + 10);

        RunPage first = runs.list(Workspace.of("many"), search(List.of("n=1"), List.of(), ANY), page(100, ""));
        RunPage second =
                runs.list(Workspace.of("many"), search(List.of("n=1"), List.of(), ANY), page(100, first.nextToken()));

        assertThat(first.runs()).isEmpty();
        assertThat(first.searchedBackTo())
                .hasValueSatisfying(time -> assertThat(time).isAfter(at(0)));
        assertThat(second.runs()).extracting(Run::name).containsExactly("run 1");
        assertThat(second.nextToken()).isEmpty();
        assertThat(second.searchedBackTo()).isEmpty();
    }

    @Test
    void leavesOutPartitionsOfOtherTimes() {
        POSTGRES.execute("create table job_history_past partition of job_history for values from (%s) to (%s)"
                .formatted(boundary(-10 * DAY_SECONDS), boundary(-9 * DAY_SECONDS)));
        POSTGRES.execute("create table job_history_near partition of job_history for values from (%s) to (%s)"
                .formatted(boundary(-3 * DAY_SECONDS), boundary(-2 * DAY_SECONDS)));

        RunSearch search =
                search(Optional.empty(), Optional.of(at(-3 * DAY_SECONDS)), Optional.of(at(-2 * DAY_SECONDS - 7_200)));
        String plan = DATABASE.run(
                dsl -> dsl.explain(PayloadSearchStore.ended(dsl, Workspace.of("w"), search, Optional.empty())
                                .orElseThrow())
                        .plan());

        assertThat(plan).contains("job_history_near").doesNotContain("job_history_past");
    }

    private List<String> names(String workspace, Set<RunState> states, List<String> input, List<String> output) {
        return runs.list(Workspace.of(workspace), search(input, output, states), page(100, "")).runs().stream()
                .map(Run::name)
                .toList();
    }

    private static RunSearch search(List<String> input, List<String> output, Set<RunState> states) {
        return new RunSearch(
                states,
                KindOfRun.ALL,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                PayloadConditionReader.read(input, "input", new Violations()),
                PayloadConditionReader.read(output, "output", new Violations()));
    }

    private static RunSearch search(Optional<String> name, Optional<Instant> from, Optional<Instant> before) {
        return new RunSearch(
                ANY,
                KindOfRun.ALL,
                name,
                Optional.empty(),
                from,
                before,
                Optional.empty(),
                Optional.empty(),
                PayloadConditionReader.read(List.of("id=42"), "input", new Violations()),
                List.of());
    }

    private static PageRequest page(int size, String token) {
        return PageRequest.of(size, token);
    }

    private static Instant at(int second) {
        return Instant.parse("2026-01-01T00:00:00Z").plusSeconds(second);
    }

    private static void ended(String workspace, int second, @Nullable String input, @Nullable String result) {
        POSTGRES.execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt, input, result,
                    created_at, ended_at)
                select 0, id, id, '%s', 2, 'h', 'run %d', '', 'handler:h', 1, 1, %s, %s, '%s', '%5$s' from (select %s as id) as made
                """.formatted(workspace, second, quoted(input), quoted(result), at(second), id(second)));
    }

    private static void live(String workspace, int second, String input) {
        POSTGRES.execute("""
                insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state,
                    timeout_millis, input, created_at)
                select 0, id, id, '%s', 2, 'h', 'run %d', '', 'handler:h', 0, 1, 1, 1000, %s, '%s' from (select %s as id) as made
                """.formatted(workspace, second, quoted(input), at(second), id(second)));
    }

    private static void insertMany(String workspace, int count) {
        POSTGRES.execute("""
                insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt, input,
                    created_at, ended_at)
                select 0, id, id, '%s', 2, 'h', 'run ' || n, '', 'handler:h', 1, 1, json_build_object('n', n), now(), now()
                from (select n, %s as id from generate_series(1, %d) n) as made
                """.formatted(workspace, id("n"), count));
    }

    /** SQL of an id in bucket 0 that was made in the given second. */
    private static String id(Object second) {
        return "(lpad(to_hex(%d + 1000::bigint * %s), 12, '0') || '7000' || substr(md5(random()::text), 1, 12) || '0000')::uuid"
                .formatted(at(0).toEpochMilli(), second);
    }

    private static String boundary(int second) {
        return "'" + IdTimes.least(at(second).plusSeconds(3_600)) + "'";
    }

    private static String quoted(@Nullable String json) {
        return json == null ? "null" : "'" + json + "'";
    }
}
