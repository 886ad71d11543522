package dev.millrace.scheduler.run.service;

import static dev.millrace.scheduler.testing.RunningScheduler.handler;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import dev.millrace.proto.job.v1.GetRunRequest;
import dev.millrace.proto.job.v1.JobSpec;
import dev.millrace.proto.job.v1.ListRunsRequest;
import dev.millrace.proto.job.v1.ListRunsResponse;
import dev.millrace.proto.job.v1.Run;
import dev.millrace.proto.job.v1.SubmitRunRequest;
import dev.millrace.proto.job.v1.WatchRunRequest;
import dev.millrace.proto.job.v1.WatchRunResponse;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls about runs, as tests make them. */
final class RunCalls {
    private final RunningScheduler scheduler;

    RunCalls(RunningScheduler scheduler) {
        this.scheduler = scheduler;
    }

    HandlerWorker worker(String handler) {
        return new HandlerWorker(scheduler.channel(), "handler:" + handler);
    }

    Run submit(JobSpec spec) {
        return submit(spec, UnaryOperator.identity());
    }

    Run submit(JobSpec spec, UnaryOperator<SubmitRunRequest.Builder> options) {
        return scheduler
                .runs()
                .submitRun(options.apply(SubmitRunRequest.newBuilder().setSpec(spec))
                        .build())
                .getRun();
    }

    Run get(String id) {
        return scheduler
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(id).build())
                .getRun();
    }

    Iterator<WatchRunResponse> watch(Run run) {
        return scheduler
                .runs()
                .watchRun(WatchRunRequest.newBuilder()
                        .setRunId(run.getId())
                        .setWorkspace(run.getWorkspace())
                        .setIncludeLogs(true)
                        .build());
    }

    Iterator<WatchRunResponse> watch(String id) {
        return scheduler
                .runs()
                .watchRun(WatchRunRequest.newBuilder()
                        .setRunId(id)
                        .setIncludeLogs(true)
                        .build());
    }

    List<Run> search(UnaryOperator<ListRunsRequest.Builder> options) {
        return scheduler
                .runs()
                .listRuns(options.apply(ListRunsRequest.newBuilder().setWorkspace("search"))
                        .build())
                .getRunsList();
    }

    List<Run> list(String workspace, Run.State... states) {
        return scheduler
                .runs()
                .listRuns(ListRunsRequest.newBuilder()
                        .setWorkspace(workspace)
                        .addAllStates(List.of(states))
                        .build())
                .getRunsList();
    }

    List<String> listAll(String workspace, int pageSize) {
        List<String> ids = new ArrayList<>();
        String token = "";
        do {
            ListRunsResponse page = scheduler
                    .runs()
                    .listRuns(ListRunsRequest.newBuilder()
                            .setWorkspace(workspace)
                            .setPageSize(pageSize)
                            .setPageToken(token)
                            .build());
            page.getRunsList().forEach(run -> ids.add(run.getId()));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return ids;
    }

    static ByteString json(String text) {
        return ByteString.copyFromUtf8(text);
    }

    static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }
}
