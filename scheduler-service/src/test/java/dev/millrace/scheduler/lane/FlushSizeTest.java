package dev.millrace.scheduler.lane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What many runs do at once without a worker is no single transaction. */
class FlushSizeTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    /** So many that a flush with one such run takes no other one. */
    private static final int ITEMS = 6_000;

    private static final int RUNS = 30;

    @Test
    void aFlushTakesNoFurtherRunOnceItHasManyRows() throws InterruptedException {
        deploy();
        List<Thread> callers = submitMany(() -> {});
        for (Thread caller : callers) {
            caller.join();
        }

        try (Database database = SCHEDULER.database().open()) {
            int all = count(database, "select count(*) from job_history");
            int largest = count(
                    database,
                    "select max(rows) from (select count(*) as rows from job_history group by xmin::text) flushes");
            assertThat(all).isGreaterThan(RUNS * ITEMS);
            assertThat(largest).as("rows of the largest transaction").isLessThan(2 * ITEMS);
        }
    }

    @Test
    void aRunThatComesLaterWaitsForNoLineOfSuchRuns() throws InterruptedException {
        deploy();
        CountDownLatch begun = new CountDownLatch(1);
        AtomicInteger accepted = new AtomicInteger();
        List<Thread> callers = submitMany(() -> {
            accepted.incrementAndGet();
            begun.countDown();
        });
        begun.await();

        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setHandler("nobody")))
                        .build());

        assertThat(accepted).as("accepted before a run that came later").hasValueLessThan(RUNS);
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private static List<Thread> submitMany(Runnable accepted) {
        return IntStream.range(0, RUNS)
                .mapToObj(_ -> Thread.ofVirtual().start(() -> {
                    submit();
                    accepted.run();
                }))
                .toList();
    }

    private static void deploy() {
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: wide
                                inputs: {items: {type: array}}
                                steps:
                                  - id: each
                                    for_each: ${{ inputs.items }}
                                    steps: [{id: a, value: 1}]
                                """))
                        .build());
    }

    private static void submit() {
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath("wide"))
                                .setInput(ByteString.copyFromUtf8("{\"items\":[" + "0,".repeat(ITEMS - 1) + "0]}")))
                        .build());
    }

    private static int count(Database database, String sql) {
        return database.run(dsl -> dsl.fetchSingle(sql).into(int.class));
    }
}
