package dev.millrace.scheduler.eventtrigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.trigger.v1.EventSource;
import dev.millrace.proto.trigger.v1.PutTriggerRequest;
import dev.millrace.proto.trigger.v1.Trigger;
import dev.millrace.proto.trigger.v1.TriggerServiceGrpc;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scheduler reads the events of all workspaces that it holds, one after another. */
class EventTriggerTurnsTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final String BUSY = "busy";
    private static final String CALM = "calm";
    /** Many more than the workspace with many events may have read before it is the turn of the other one. */
    private static final int EVENTS = 3_000;

    @Test
    void aWorkspaceWithManyEventsKeepsNoOtherOneWaiting() {
        listen(BUSY);
        listen(CALM);
        try (Database database = SCHEDULER.database().open()) {
            insert(database, BUSY, EVENTS);
            await(database, BUSY);

            insert(database, CALM, 1);
            await(database, CALM);

            assertThat(starts(database, BUSY))
                    .as("when the other workspace has got its run")
                    .isLessThan(EVENTS);
        }
    }

    private static void listen(String workspace) {
        var _ = WorkspaceServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .createWorkspace(
                        CreateWorkspaceRequest.newBuilder().setName(workspace).build());
        var _ = TriggerServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .putTrigger(PutTriggerRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setPath("on/deployment")
                        .setTrigger(Trigger.newBuilder()
                                .setRun(RunSpec.newBuilder()
                                        .setTarget(RunTarget.newBuilder().setHandler("nobody")))
                                .setEvent(EventSource.newBuilder().addTypes("flow.deployed")))
                        .build());
    }

    private static void insert(Database database, String workspace, int events) {
        database.run(dsl -> dsl.execute("""
                insert into event (workspace, type, name, detail)
                select ?, 'flow.deployed', 'a/b', '{}' from generate_series(1, ?)
                """, workspace, events));
    }

    private static void await(Database database, String workspace) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (starts(database, workspace) == 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        assertThat(starts(database, workspace)).isPositive();
    }

    private static int starts(Database database, String workspace) {
        return database.run(dsl -> dsl.fetchSingle(
                        "select count(*) from trigger_start where workspace = ? and run_id is not null", workspace)
                .into(int.class));
    }
}
