package dev.millrace.scheduler.access;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.ErrorStatus;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.StatusRuntimeException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The refusals of callers who may not do what they ask for. */
final class Denied {
    private Denied() {}

    static MillraceException inFolder(Access access, Role least, Workspace workspace, String folder) {
        return denied(access.name() + " needs the role " + least.text()
                + (folder.isEmpty() ? " in the whole workspace " : " in folder " + folder + " of workspace ")
                + workspace + ": ask an admin of the workspace for it.");
    }

    static MillraceException inWorkspace(Access access, Role least, Workspace workspace) {
        return inFolder(access, least, workspace, Folder.NONE);
    }

    static MillraceException inAnyFolder(Access access, Role least, Workspace workspace) {
        return denied(access.name() + " needs the role " + least.text() + " in a folder of workspace " + workspace
                + ": ask an admin of the workspace for it.");
    }

    static MillraceException inInstallation(Access access, Role least) {
        return denied(access.name() + " needs the role " + least.text()
                + " of the installation, by a token without restrictions.");
    }

    static MillraceException workersOnly(Access access) {
        return denied(access.name() + " is no worker: this method is for workers, with a token of a worker.");
    }

    static MillraceException peopleOnly(Access access) {
        return denied(access.name() + " may only serve jobs: use a token of a user or service account.");
    }

    static MillraceException actingAs(Access access, Collection<String> people) {
        return denied(access.name() + " may not act for " + String.join(", ", people)
                + ": use a service account that an admin allows to act as others.");
    }

    static MillraceException tags(Access access, Collection<String> asked, Collection<String> allowed) {
        return denied(access.name() + " offers slots for jobs with the tags " + String.join(", ", asked)
                + ", but its token is for " + String.join(", ", allowed) + " only.");
    }

    static MillraceException unauthenticated() {
        return new MillraceException(
                ErrorCode.UNAUTHENTICATED,
                "This server wants to know who calls: send a token in the header authorization, as \"Bearer TOKEN\".");
    }

    static MillraceException badCredential() {
        return new MillraceException(
                ErrorCode.UNAUTHENTICATED,
                "The token is unknown, has expired or was revoked: get a new one, for example by `millrace login`.");
    }

    static MillraceException badGateway() {
        return new MillraceException(
                ErrorCode.UNAUTHENTICATED,
                "The token of the gateway itself is unknown, has expired or was revoked: set millrace.gateway.token-file to"
                        + " a file with a token of kind gateway.");
    }

    static MillraceException changed() {
        return new MillraceException(
                ErrorCode.UNAUTHENTICATED, "What this token may do has changed since the call began: call again.");
    }

    static MillraceException plaintext(ServerCall<?, ?> call) {
        return denied(call.getMethodDescriptor().getBareMethodName()
                + " answers with secrets, and this connection comes from another machine without TLS: set"
                + " millrace.grpc.tls.certificate and millrace.grpc.tls.key of the scheduler, and"
                + " millrace.scheduler.tls.ca of its workers.");
    }

    /** Ends a call with a refusal, before its service learns of it. */
    static <Q> Listener<Q> close(ServerCall<Q, ?> call, RuntimeException reason) {
        StatusRuntimeException status = ErrorStatus.of(reason);
        @Nullable Metadata trailers = status.getTrailers();
        call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
        return new Listener<>() {};
    }

    private static MillraceException denied(String message) {
        return new MillraceException(ErrorCode.PERMISSION_DENIED, message);
    }
}
