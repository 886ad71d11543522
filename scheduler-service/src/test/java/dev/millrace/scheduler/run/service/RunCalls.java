package dev.millrace.scheduler.run.service;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;
import dev.millrace.proto.run.v1.WatchRunResponse;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import java.util.Iterator;
import java.util.function.UnaryOperator;

/** Calls of the service of runs, for its tests. */
record RunCalls(RunningScheduler scheduler) {
    static ByteString json(String text) {
        return ByteString.copyFromUtf8(text);
    }

    /** Starts a worker for jobs of one handler. */
    HandlerWorker worker(String handler) {
        return new HandlerWorker(scheduler.channel(), "handler:" + handler);
    }

    Run submit(RunSpec spec) {
        return submit(spec, UnaryOperator.identity());
    }

    Run submit(RunSpec spec, UnaryOperator<SubmitRunRequest.Builder> options) {
        return scheduler
                .runs()
                .submitRun(options.apply(SubmitRunRequest.newBuilder().setSpec(spec))
                        .build())
                .getRun();
    }

    /** Gets a run of the default workspace. */
    Run get(String id) {
        return scheduler
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(id).build())
                .getRun();
    }

    /** Follows a run of any workspace, with its logs. */
    Iterator<WatchRunResponse> watch(Run run) {
        return watch(request -> request.setRunId(run.getId()).setWorkspace(run.getWorkspace()));
    }

    /** Follows a run of the default workspace, with its logs. */
    Iterator<WatchRunResponse> watch(String id) {
        return watch(request -> request.setRunId(id));
    }

    private Iterator<WatchRunResponse> watch(UnaryOperator<WatchRunRequest.Builder> run) {
        return scheduler
                .runs()
                .watchRun(run.apply(WatchRunRequest.newBuilder().setIncludeLogs(true))
                        .build());
    }
}
