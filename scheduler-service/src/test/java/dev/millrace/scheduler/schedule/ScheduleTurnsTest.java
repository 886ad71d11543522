package dev.millrace.scheduler.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.schedule.v1.PutScheduleRequest;
import dev.millrace.proto.schedule.v1.ScheduleServiceGrpc;
import dev.millrace.proto.schedule.v1.ScheduleSettings;
import dev.millrace.proto.schedule.v1.Timing;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.RunningScheduler;
import dev.millrace.scheduler.trigger.StartState;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One loop of a scheduler fires the ticks of all workspaces. */
class ScheduleTurnsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final String BUSY = "busy";
    private static final String CALM = "calm";
    private static final int SCHEDULES = 20;

    /** A check of an input by its schema may take a second. */
    @Test
    void schedulesWhoseInputsTakeLongToCheckDelayNoOtherWorkspace() {
        workspace(BUSY);
        workspace(CALM);
        flow("");
        for (int number = 0; number < SCHEDULES; number++) {
            put(
                    BUSY,
                    "slow/s" + number,
                    RunSpec.newBuilder()
                            .setTarget(RunTarget.newBuilder().setFlowPath("slow/flow"))
                            .setInput(ByteString.copyFromUtf8("{\"x\":\"" + "a".repeat(40) + "\"}")));
        }
        flow("input_schema: {properties: {x: {pattern: '^(a+a+)+b$'}}}");
        put(
                CALM,
                "quick/one",
                RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setHandler("nobody")));

        // Those that take long have been due for longer.
        SCHEDULER.database().execute("""
                update schedule s set next_tick = date_trunc('minute', now()),
                    wake_at = now() - case t.workspace when 'busy' then interval '10 seconds' else interval '1 second' end
                from trigger t where t.id = s.trigger_id
                """);

        try (Database database = SCHEDULER.database().open()) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (starts(database, CALM, StartState.STARTED) == 0 && System.nanoTime() < end) {
                LockSupport.parkNanos(PAUSE.toNanos());
            }
            assertThat(starts(database, BUSY, StartState.CLAIMED))
                    .as("when the other workspace has got its run")
                    .isPositive();
        }
    }

    private static void workspace(String name) {
        var _ = WorkspaceServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName(name).build());
    }

    private static void flow(String schema) {
        var _ = SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setWorkspace(BUSY)
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8("""
                                millrace: v1
                                name: slow/flow
                                inputs: {x: {type: string}}
                                %s
                                steps:
                                  - {id: a, value: 1}
                                """.formatted(schema)))
                        .build());
    }

    private static void put(String workspace, String path, RunSpec.Builder run) {
        var _ = ScheduleServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .putSchedule(PutScheduleRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setPath(path)
                        .setRun(run)
                        .setSettings(ScheduleSettings.newBuilder()
                                .setTiming(Timing.newBuilder().addCron("* * * * *")))
                        .build());
    }

    private static int starts(Database database, String workspace, StartState state) {
        return database.run(dsl -> dsl.fetchSingle(
                        "select count(*) from trigger_start where workspace = ? and state = ?", workspace, state.code())
                .into(int.class));
    }
}
