package dev.millrace.bench.workload;

import com.google.protobuf.Timestamp;
import dev.millrace.bench.measure.Check;
import dev.millrace.bench.system.DatabaseServer;
import dev.millrace.bench.system.Installation;
import dev.millrace.proto.run.v1.Step;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Checks that each job left exactly one record, and reads times from the records. */
final class Records {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    /** Names of runs that a deployment starts, such as {@code s1.py (schema)}; no flow has parentheses in its name. */
    private static final String PREPARATIONS = "'% (%)'";

    private Records() {}

    /**
     * Checks a run of the flow {@code s1}, {@code s2}, …: each step ran once, at its first attempt, and began after the
     * end of the previous one.
     */
    static List<Step> checkSequence(List<Step> all, int expected) {
        List<Step> steps = all.stream()
                .filter(step -> !step.getKey().isEmpty())
                .sorted(Comparator.comparingInt(
                        step -> Integer.parseInt(step.getKey().substring(1))))
                .toList();
        Check.equal(
                "the keys of the steps",
                IntStream.rangeClosed(1, expected).mapToObj(i -> "s" + i).toList(),
                steps.stream().map(Step::getKey).toList());
        Check.equal(
                "the states of the steps",
                Set.of(Step.State.STATE_SUCCEEDED),
                steps.stream().map(Step::getState).collect(Collectors.toSet()));
        Check.that("every step needed one attempt", steps.stream().allMatch(step -> step.getAttempt() == 1));
        for (int i = 1; i < expected; i++) {
            Check.that(
                    "step " + (i + 1) + " was created after the one before it had ended",
                    micros(steps.get(i).getCreateTime())
                            >= micros(steps.get(i - 1).getEndTime()));
        }
        return steps;
    }

    /** Checks the history of a database that ran only flows with this many steps each. */
    static void checkHistory(Installation installation, long runs, long stepsPerRun) throws Exception {
        checkTotals(installation, runs, runs * stepsPerRun);
    }

    /** Checks the history of a database that ran flows of different lengths. */
    static void checkTotals(Installation installation, long runs, long steps) throws Exception {
        // With the statistics of a table that has just grown, Postgres would look for duplicates among millions of rows
        // with the plan for a tiny table, which takes minutes.
        DatabaseServer.execute(installation.database(), "analyze job_history");
        Check.equal(
                "the number of recorded steps",
                steps,
                installation.ask("select count(*) from job_history where step_key <> ''"));
        Check.equal(
                "the number of different steps recorded",
                steps,
                installation.ask(
                        "select count(*) from (select distinct run_id, step_key from job_history where step_key <> '') s"));
        Check.equal(
                "the number of recorded runs",
                runs,
                installation.ask(
                        "select count(*) from job_history where step_key = '' and name not like " + PREPARATIONS));
        checkAllSucceeded(installation);
    }

    /** Number of transactions so far that have written something. */
    static long commits(Installation installation) throws Exception {
        return installation.ask("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint");
    }

    /** Checks the history of a database that ran only single jobs. */
    static void checkJobs(Installation installation, long jobs) throws Exception {
        Check.equal("the number of recorded jobs", jobs, installation.ask("select count(*) from job_history"));
        checkAllSucceeded(installation);
    }

    private static void checkAllSucceeded(Installation installation) throws Exception {
        Check.equal(
                "the number of records that are not of a first, successful attempt",
                0L,
                installation.ask("select count(*) from job_history where status <> 1 or attempt <> 1"));
        Check.equal("the number of jobs left in the queue", 0L, installation.ask("select count(*) from job_queue"));
    }

    static long micros(Timestamp time) {
        return time.getSeconds() * MICROS_PER_SECOND + time.getNanos() / NANOS_PER_MICRO;
    }
}
