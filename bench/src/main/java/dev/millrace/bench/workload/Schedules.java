package dev.millrace.bench.workload;

import com.google.protobuf.ByteString;
import dev.millrace.bench.measure.Check;
import dev.millrace.bench.measure.Figures;
import dev.millrace.bench.measure.Samples;
import dev.millrace.bench.system.Installation;
import dev.millrace.bench.system.Usage;
import dev.millrace.bench.system.Waiting;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.schedule.v1.OverlapPolicy;
import dev.millrace.proto.schedule.v1.PutScheduleRequest;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import dev.millrace.proto.schedule.v1.ScheduleSettings;
import dev.millrace.proto.schedule.v1.Timing;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** 100,000 schedules: what they cost while none is due, and how late 1,000 start their runs that are due in one second. */
public final class Schedules implements Workload {
    private static final int SCHEDULES = 100_000;
    private static final int DUE = 1_000;
    private static final int ROUNDS = 10;
    private static final int IDLE_SECONDS = 30;
    private static final Duration SETTLE = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String CLIENT = "client";
    private static final double PERCENT = 100;
    private static final double MICROS_PER_MILLI = 1_000;
    private static final int LEAD_SECONDS = 3;

    @Override
    public String name() {
        return "schedules";
    }

    @Override
    public String description() {
        return "100,000 schedules: CPU while none is due, and lateness of 1,000 that are due in the same second";
    }

    @Override
    public Figures run(Bench bench) throws Exception {
        try (Installation installation = bench.install(name(), ClusterPlan.fast())) {
            put(installation, 0);
            double without = idlePercent(bench, installation);
            int schedules = bench.size(SCHEDULES);
            bench.say(name() + ": " + schedules + " schedules");
            Check.equal("the number of schedules", (long) schedules, installation.ask(copy(schedules)));
            double with = idlePercent(bench, installation);
            int rounds = bench.rounds(ROUNDS);
            int due = Math.min(DUE, schedules);
            double[] lateMillis = new double[rounds * due];
            for (int round = 0; round < rounds; round++) {
                fire(installation, round, due, lateMillis);
                bench.say(name() + ": round " + (round + 1) + " of " + rounds);
            }
            Samples late = Samples.of(lateMillis);
            return new Figures(name())
                    .add("schedules", (long) schedules)
                    .add("idle_percent_of_one_core_without", without)
                    .add("idle_percent_of_one_core_with", with)
                    .add("due_at_once", (long) due)
                    .add("late_p50_ms", late.median())
                    .add("late_p99_ms", late.percentile(99))
                    .add("late_max_ms", late.highest());
        }
    }

    private static void fire(Installation installation, int round, int due, double[] lateMillis) throws Exception {
        long before = installation.ask("select count(*) from trigger_start");
        Check.equal("the number of due schedules", (long) due, installation.ask(letBeDue(due)));
        put(installation, round + 1);
        Waiting.until(
                "all due schedules have started their runs",
                LIMIT,
                () -> installation.ask("select count(*) from trigger_start where state = 3") == before + due);
        for (int index = 0; index < due; index++) {
            lateMillis[round * due + index] = installation.ask(lateness(index)) / MICROS_PER_MILLI;
        }
    }

    private static double idlePercent(Bench bench, Installation installation) throws Exception {
        installation.usage();
        Thread.sleep(SETTLE);
        Duration duration = bench.duration(IDLE_SECONDS);
        Usage before = installation.usage();
        Thread.sleep(duration);
        double total = 0;
        for (Map.Entry<String, Double> process :
                installation.usage().cpuSecondsSince(before).entrySet()) {
            total += process.getKey().equals(CLIENT) ? 0 : process.getValue();
        }
        return total / duration.toSeconds() * PERCENT;
    }

    /** Writes the first schedule. A change of it makes the scheduler look for the next due one. */
    private static void put(Installation installation, int number) throws SQLException {
        var _ = ScheduleServiceGrpc.newBlockingStub(installation.channel())
                .withWaitForReady()
                .putSchedule(PutScheduleRequest.newBuilder()
                        .setPath("bench/first")
                        .setDescription("change " + number)
                        .setRun(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setHandler("bench-tick"))
                                .setInput(ByteString.copyFromUtf8("{}")))
                        .setSettings(ScheduleSettings.newBuilder()
                                .setOverlap(OverlapPolicy.OVERLAP_POLICY_ALLOW)
                                .setTiming(Timing.newBuilder().addCron("@yearly")))
                        .build());
    }

    /** Copies the first schedule; the copies are due in a year. */
    private static String copy(int count) {
        return """
            with made as (
                insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
                select gen_random_uuid(), workspace, kind, 'bench/' || n, 1, template, settings, '', actor
                from trigger, generate_series(1, %d) as n where path = 'bench/first' returning id
            ), placed as (
                insert into schedule (trigger_id, next_tick, wake_at) select id, now() + interval '1 year', now() + interval '1 year' from made
                returning 1
            )
            select count(*) from placed
            """.formatted(count);
    }

    private static String letBeDue(int count) {
        return """
            with due as (
                update schedule set next_tick = date_trunc('second', now()) + %1$d * interval '1 second',
                    wake_at = date_trunc('second', now()) + %1$d * interval '1 second'
                where trigger_id in (select id from trigger where path like 'bench/%%' and path <> 'bench/first' order by id limit %2$d)
                returning 1
            )
            select count(*) from due
            """.formatted(LEAD_SECONDS, count);
    }

    /** Microseconds between the tick and the acceptance of its run, for one run. */
    private static String lateness(int index) {
        return """
            select (extract(epoch from q.created_at - s.occurred_at) * 1000000)::bigint
            from trigger_start s join job_queue q on q.id = s.run_id order by s.id desc offset %d limit 1
            """.formatted(index);
    }
}
