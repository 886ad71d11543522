package dev.millrace.scheduler.tag;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.access.v1.Role;
import dev.millrace.proto.queue.v1.ListQueuesRequest;
import dev.millrace.proto.queue.v1.PauseQueueRequest;
import dev.millrace.proto.queue.v1.Queue;
import dev.millrace.proto.queue.v1.QueueServiceGrpc;
import dev.millrace.proto.run.v1.RunServiceGrpc;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.workspace.v1.CreateWorkspaceRequest;
import dev.millrace.proto.workspace.v1.WorkspaceServiceGrpc;
import dev.millrace.scheduler.identity.IdentityCalls;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which tags callers see, as a tag may be any text that a flow of somebody else computes. */
class QueueVisibilityTest {
    private static final String TAG = "customer-of-shop";

    private final RunningScheduler scheduler;
    private final IdentityCalls calls;

    QueueVisibilityTest(@TempDir Path folder) {
        Path ownerToken = folder.resolve("owner");
        scheduler = new RunningScheduler(IdentityCalls.required(ownerToken));
        calls = new IdentityCalls(scheduler, ownerToken);
        for (String name : List.of("shop", "elsewhere")) {
            WorkspaceServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                    .createWorkspace(
                            CreateWorkspaceRequest.newBuilder().setName(name).build());
        }
        RunServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .submitRun(SubmitRunRequest.newBuilder()
                        .setWorkspace("shop")
                        .setSpec(handler("goods", spec -> spec.setTag(TAG)))
                        .build());
    }

    @AfterEach
    void stop() {
        scheduler.close();
    }

    @Test
    void whoSeesAWorkspaceSeesTheTagsOfItsJobs() {
        assertThat(tags(calls.owner())).contains(TAG);
        assertThat(tags(calls.user("shop", "", Role.ROLE_VIEWER))).contains(TAG);
        assertThat(tags(calls.user("elsewhere", "", Role.ROLE_VIEWER))).doesNotContain(TAG);
    }

    @Test
    void aTagThatAnOperatorHasPausedIsNoSecret() {
        QueueServiceGrpc.newBlockingStub(calls.with(calls.owner()))
                .pauseQueue(PauseQueueRequest.newBuilder().setTag(TAG).build());

        assertThat(tags(calls.user("elsewhere", "", Role.ROLE_VIEWER))).contains(TAG);
    }

    private List<String> tags(String token) {
        return QueueServiceGrpc.newBlockingStub(calls.with(token))
                .listQueues(ListQueuesRequest.getDefaultInstance())
                .getQueuesList()
                .stream()
                .map(Queue::getTag)
                .toList();
    }
}
