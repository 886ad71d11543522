package dev.millrace.worker.internal.process;

import dev.millrace.proto.worker.v1.DedicatedScriptServiceGrpc;
import dev.millrace.proto.worker.v1.GetDedicatedScriptsRequest;
import dev.millrace.proto.worker.v1.GetDedicatedScriptsResponse;
import dev.millrace.worker.DedicatedTarget;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** Asks the scheduler for the versions of dedicated scripts. */
public final class SchedulerDedications implements DedicatedSource {
    private final DedicatedScriptServiceGrpc.DedicatedScriptServiceBlockingStub scripts;

    public SchedulerDedications(Channel channel) {
        this.scripts = DedicatedScriptServiceGrpc.newBlockingStub(channel).withWaitForReady();
    }

    @Override
    public GetDedicatedScriptsResponse get(DedicatedTarget target, Collection<String> known) {
        GetDedicatedScriptsRequest.Builder request = GetDedicatedScriptsRequest.newBuilder()
                .setWorkspace(target.workspace())
                .addAllKnownHashes(known);
        if (target.isFlow()) {
            request.setFlowPath(target.path());
        } else {
            request.setScriptPath(target.path());
        }
        try {
            return scripts.withDeadlineAfter(SchedulerScripts.FETCH_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .getDedicatedScripts(request.build());
        } catch (StatusRuntimeException e) {
            Status status = e.getStatus();
            switch (status.getCode()) {
                case NOT_FOUND, INVALID_ARGUMENT, PERMISSION_DENIED, RESOURCE_EXHAUSTED ->
                    throw new LoadException(String.valueOf(status.getDescription()), false);
                case UNIMPLEMENTED ->
                    throw new LoadException(
                            "The scheduler knows no dedicated scripts: update it, or remove --dedicated.", false);
                default ->
                    throw new LoadException.Unavailable(
                            "The scheduler could not be asked for dedicated scripts: " + status + ".");
            }
        }
    }
}
