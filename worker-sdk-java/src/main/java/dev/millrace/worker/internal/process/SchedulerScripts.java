package dev.millrace.worker.internal.process;

import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Scripts from the scheduler. Waits for the connection where there is none, within a limit. */
public final class SchedulerScripts implements ScriptSource {
    static final Duration FETCH_TIMEOUT = Duration.ofSeconds(30);

    private final ScriptServiceGrpc.ScriptServiceBlockingStub scripts;

    public SchedulerScripts(Channel channel) {
        this.scripts = ScriptServiceGrpc.newBlockingStub(channel);
    }

    @Override
    public Script fetch(ScriptKey key) {
        GetScriptRequest request = GetScriptRequest.newBuilder()
                .setWorkspace(key.workspace())
                .setHash(key.hash())
                .build();
        try {
            return scripts.withWaitForReady()
                    .withDeadlineAfter(FETCH_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .getScript(request)
                    .getScript();
        } catch (StatusRuntimeException e) {
            boolean missing = e.getStatus().getCode() == Status.Code.NOT_FOUND;
            throw new LoadException(
                    "The script version " + key.hash() + " could not be fetched: "
                            + (missing ? "the scheduler has none with this hash." : e.getStatus() + "."),
                    !missing);
        }
    }
}
