package dev.millrace.scheduler.worker;

import dev.millrace.proto.worker.v1.DedicatedScript;
import dev.millrace.proto.worker.v1.DedicatedScriptServiceGrpc;
import dev.millrace.proto.worker.v1.GetDedicatedScriptsRequest;
import dev.millrace.proto.worker.v1.GetDedicatedScriptsResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.WorkerScope;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.script.ScriptProtos;
import dev.millrace.scheduler.workspace.WorkspaceDirectory;
import io.grpc.stub.StreamObserver;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;

/** The gRPC service that tells workers the versions for which they keep processes ready. */
final class DedicatedScriptGrpcService extends DedicatedScriptServiceGrpc.DedicatedScriptServiceImplBase {
    private static final int KNOWN_MAX = 1_000;

    private final DedicatedScripts scripts;
    private final WorkspaceDirectory workspaces;

    DedicatedScriptGrpcService(DedicatedScripts scripts, WorkspaceDirectory workspaces) {
        this.scripts = scripts;
        this.workspaces = workspaces;
    }

    @Override
    public void getDedicatedScripts(
            GetDedicatedScriptsRequest request, StreamObserver<GetDedicatedScriptsResponse> observer) {
        if (request.getKnownHashesCount() > KNOWN_MAX) {
            throw MillraceException.invalid(
                    "known_hashes", request.getKnownHashesCount() + " entries (expected: at most " + KNOWN_MAX + ")");
        }
        // Requests of workers are not translated, since leases name keys; people write names into settings.
        Workspace workspace = RequestFields.workspace(
                workspaces.keyOf(RequestFields.workspace(request.getWorkspace()).name()));
        SortedSet<String> hashes = hashes(request, Access.current().worker(), workspace);
        Set<String> known = new HashSet<>(request.getKnownHashesList());
        Optional<String> unknown =
                hashes.stream().filter(hash -> !known.contains(hash)).findFirst();
        GetDedicatedScriptsResponse.Builder answer = GetDedicatedScriptsResponse.newBuilder();
        hashes.forEach(hash -> answer.addScriptsBuilder().setHash(hash).setWorkspace(workspace.name()));
        unknown.ifPresent(hash -> answer.setUnknown(DedicatedScript.newBuilder()
                .setScript(ScriptProtos.withContent(scripts.script(workspace, hash)))
                .putAllPackageLocks(scripts.packageLocks(workspace, hash))));
        Unary.answer(observer, answer.build());
    }

    private SortedSet<String> hashes(GetDedicatedScriptsRequest request, WorkerScope scope, Workspace workspace) {
        return switch (request.getTargetCase()) {
            case SCRIPT_PATH -> scripts.ofScript(scope, workspace, request.getScriptPath());
            case FLOW_PATH -> scripts.ofFlow(scope, workspace, request.getFlowPath());
            case TARGET_NOT_SET ->
                throw MillraceException.invalid("target", "none (expected: script_path or flow_path)");
        };
    }
}
