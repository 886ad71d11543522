package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.log.v1.ListLogsRequest;
import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.log.v1.TailLogsRequest;
import dev.millrace.proto.log.v1.TailLogsResponse;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunFollowTest {
    @RegisterExtension
    private static final RunningScheduler SCHEDULER = new RunningScheduler();

    private static final RunCalls RUNS = new RunCalls(SCHEDULER);

    @Test
    void streamsARunFromItsStateToItsEnd() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("watched")) {
            Run run = RUNS.submit(handler("watched", UnaryOperator.identity()));
            Lease lease = worker.take();
            Iterator<WatchRunResponse> events = RUNS.watch(run.getId());
            List<WatchRunResponse> seen = new ArrayList<>();
            seen.add(events.next());
            worker.started(lease);
            worker.print(lease, 0, "hello\n");
            do {
                seen.add(events.next());
            } while (!seen.getLast().hasLog());
            worker.succeed(lease, "\"done\"");
            events.forEachRemaining(seen::add);

            assertThat(seen.getFirst().hasRun()).isTrue();
            assertThat(seen.getLast().getRun().getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
            assertThat(seen.getLast().getRun().getOutput().toStringUtf8()).isEqualTo("\"done\"");
            assertThat(seen.stream()
                            .filter(WatchRunResponse::hasLog)
                            .map(event -> event.getLog().getText()))
                    .containsExactly("hello\n");
            assertThat(seen.stream().filter(WatchRunResponse::hasStep).map(WatchRunResponse::getStep))
                    .extracting(Step::getState)
                    .containsSubsequence(Step.State.STATE_RUNNING, Step.State.STATE_SUCCEEDED);
            assertThat(seen.stream().filter(WatchRunResponse::hasStep).map(WatchRunResponse::getStep))
                    .allSatisfy(step -> assertThat(step.getWorker()).isEqualTo("tester"))
                    .anySatisfy(step -> assertThat(step.hasStartTime()).isTrue());
        }
    }

    @Test
    void tellsHowFarTheCodeOfARunningJobIs() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("telling")) {
            Run run = RUNS.submit(handler("telling", UnaryOperator.identity()));
            Lease lease = worker.take();
            worker.started(lease);
            Iterator<WatchRunResponse> events = RUNS.watch(run.getId());
            worker.log(lease, LogChunk.Stream.STREAM_TRACE, 0, "progress: 0.25\n");
            assertThat(progressAfter(events, "")).isEqualTo("0.25");
            worker.log(lease, LogChunk.Stream.STREAM_TRACE, 1, "progress: {\"done\":3}\nand a note\n");
            assertThat(progressAfter(events, "0.25")).isEqualTo("{\"done\":3}");

            assertThat(present(run).getProgress().toStringUtf8()).isEqualTo("{\"done\":3}");
            assertThat(SCHEDULER
                            .runs()
                            .listSteps(ListStepsRequest.newBuilder()
                                    .setRunId(run.getId())
                                    .build())
                            .getStepsList())
                    .extracting(step -> step.getProgress().toStringUtf8())
                    .containsExactly("{\"done\":3}");
            worker.succeed(lease, "1");
            events.forEachRemaining(event -> {});
            assertThat(present(run).getProgress().isEmpty()).isTrue();
        }
    }

    private static Run present(Run run) {
        return SCHEDULER
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(run.getId()).build())
                .getRun();
    }

    /** The next progress that a follower gets which is not this one. */
    private static String progressAfter(Iterator<WatchRunResponse> events, String before) {
        String told = before;
        while (told.equals(before) || told.isEmpty()) {
            told = events.next().getStep().getProgress().toStringUtf8();
        }
        return told;
    }

    @Test
    void keepsLogsInOrderForReadersAndFollowers() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("printing")) {
            Run run = RUNS.submit(handler("printing", UnaryOperator.identity()));
            Lease lease = worker.take();
            Iterator<TailLogsResponse> tail = SCHEDULER
                    .logs()
                    .tailLogs(TailLogsRequest.newBuilder().setRunId(run.getId()).build());
            List<String> followed = new ArrayList<>();
            for (int line = 0; line < 5; line++) {
                worker.print(lease, line, "line " + line);
            }
            followed.add(tail.next().getChunk().getText());
            worker.succeed(lease, "1");
            tail.forEachRemaining(chunk -> followed.add(chunk.getChunk().getText()));

            assertThat(followed).containsExactly("line 0", "line 1", "line 2", "line 3", "line 4");
            assertThat(pagesOfLogs(run.getId(), 2)).containsExactlyElementsOf(followed);
        }
    }

    @Test
    void goesOnWithLogsBehindTheLastChunkOfAFollower() throws InterruptedException {
        try (HandlerWorker worker = RUNS.worker("printing")) {
            Run run = RUNS.submit(handler("printing", UnaryOperator.identity()));
            Lease lease = worker.take();
            for (int line = 0; line < 4; line++) {
                worker.print(lease, line, "line " + line);
            }
            worker.succeed(lease, "1");
            List<LogChunk> all = new ArrayList<>();
            SCHEDULER
                    .logs()
                    .tailLogs(TailLogsRequest.newBuilder().setRunId(run.getId()).build())
                    .forEachRemaining(answer -> all.add(answer.getChunk()));
            long had = all.get(1).getPosition();

            List<String> tailed = new ArrayList<>();
            SCHEDULER
                    .logs()
                    .tailLogs(TailLogsRequest.newBuilder()
                            .setRunId(run.getId())
                            .setAfterPosition(had)
                            .build())
                    .forEachRemaining(answer -> tailed.add(answer.getChunk().getText()));
            List<String> watched = new ArrayList<>();
            SCHEDULER
                    .runs()
                    .watchRun(WatchRunRequest.newBuilder()
                            .setRunId(run.getId())
                            .setIncludeLogs(true)
                            .setLogsAfterPosition(had)
                            .build())
                    .forEachRemaining(event -> {
                        if (event.hasLog()) {
                            watched.add(event.getLog().getText());
                        }
                    });

            assertThat(tailed).containsExactly("line 2", "line 3");
            assertThat(watched).isEqualTo(tailed);
        }
    }

    private static List<String> pagesOfLogs(String run, int pageSize) {
        List<String> texts = new ArrayList<>();
        String token = "";
        do {
            var page = SCHEDULER
                    .logs()
                    .listLogs(ListLogsRequest.newBuilder()
                            .setRunId(run)
                            .setPageSize(pageSize)
                            .setPageToken(token)
                            .build());
            page.getChunksList().forEach(chunk -> texts.add(chunk.getText()));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return texts;
    }
}
