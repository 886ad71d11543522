package dev.millrace.scheduler.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.event.v1.EventServiceGrpc;
import dev.millrace.proto.event.v1.FollowRunsRequest;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunFeedTest {
    private static final String FLOW = "feed/flow";

    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    @Test
    void tellsThatAQueuedFlowRunsOnceAWorkerHasItsFirstStep() throws InterruptedException {
        SCHEDULER
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setPath(FLOW)
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(
                                "{millrace: v1, name: " + FLOW + ", steps: [{id: a, handler: feed-late}]}"))
                        .build());
        String before = submit();
        Iterator<FollowRunsResponse> feed = follow();
        feed.next();
        String after = submit();
        assertThat(next(feed, after).getState()).isEqualTo(Run.State.STATE_QUEUED);

        try (HandlerWorker worker = new HandlerWorker(SCHEDULER.channel(), "handler:feed-late")) {
            worker.take();
            worker.take();

            assertThat(runningIn(feed, 2)).containsExactlyInAnyOrder(before, after);
        }
    }

    private static Iterator<FollowRunsResponse> follow() {
        return EventServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .withDeadlineAfter(60, TimeUnit.SECONDS)
                .followRuns(FollowRunsRequest.getDefaultInstance());
    }

    /** Reads the feed up to the next message about a run. */
    private static Run next(Iterator<FollowRunsResponse> feed, String run) {
        while (true) {
            FollowRunsResponse response = feed.next();
            if (response.hasRun() && response.getRun().getId().equals(run)) {
                return response.getRun();
            }
        }
    }

    /** The first runs that the feed tells to be running. */
    private static Set<String> runningIn(Iterator<FollowRunsResponse> feed, int count) {
        Set<String> running = new HashSet<>();
        while (running.size() < count) {
            Run run = feed.next().getRun();
            if (run.getState() == Run.State.STATE_RUNNING) {
                running.add(run.getId());
            }
        }
        return running;
    }

    private static String submit() {
        return SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(FLOW)))
                        .build())
                .getRun()
                .getId();
    }
}
