package dev.millrace.scheduler.access;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import dev.millrace.proto.access.v1.Scope;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.RunRef;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a caller may make a request, by the rule of the method.
 *
 * <p>Where a request names what it is about only by a hash, or in its payload, the rule demands the role in any folder.
 * The service then asks {@link Access#require} once it knows the folder.
 */
final class RpcCheck {
    private final RpcRule rule;
    private final RunNames runs;
    private final WorkspaceGate gate;
    private final @Nullable FieldDescriptor workspace;
    private final @Nullable FieldDescriptor run;
    private final @Nullable FieldDescriptor path;

    private RpcCheck(RpcRule rule, RunNames runs, WorkspaceGate gate, @Nullable Descriptor request) {
        this.rule = rule;
        this.runs = runs;
        this.gate = gate;
        this.workspace = request == null ? null : request.findFieldByName("workspace");
        this.run = request == null ? null : request.findFieldByName("run_id");
        this.path = request == null ? null : request.findFieldByName("path");
    }

    /**
     * The check of a method.
     *
     * @throws IllegalStateException if the method has no rule, or one that its request cannot satisfy
     */
    static RpcCheck of(MethodDescriptor method, RunNames runs, WorkspaceGate gate) {
        RpcCheck check = new RpcCheck(RpcRule.of(method), runs, gate, method.getInputType());
        boolean isComplete = switch (check.rule.scope()) {
            case SCOPE_WORKSPACE, SCOPE_ANY_FOLDER, SCOPE_TARGETS -> check.workspace != null;
            case SCOPE_PATH -> check.workspace != null && check.path != null;
            case SCOPE_RUN -> check.workspace != null && check.run != null;
            case SCOPE_PUBLIC,
                    SCOPE_AUTHENTICATED,
                    SCOPE_INSTANCE,
                    SCOPE_SESSION,
                    SCOPE_LEASE,
                    SCOPE_LINK,
                    SCOPE_UNSPECIFIED,
                    UNRECOGNIZED -> true;
        };
        if (!isComplete) {
            throw new IllegalStateException("The rule of the method " + method.getFullName() + " has the scope "
                    + check.rule.scope() + ", but its request does not name the workspace and what lies there.");
        }
        return check;
    }

    /** The check of a method that is not ours. */
    static RpcCheck none(WorkspaceGate gate) {
        return new RpcCheck(RpcRule.PUBLIC, _ -> Optional.empty(), gate, null);
    }

    RpcRule rule() {
        return rule;
    }

    /** The request with the keys of the workspaces that it names. */
    Message withKeys(Message request) {
        if (isForWorkers()) {
            return request;
        }
        String given = text(request, workspace);
        if (!given.isEmpty()) {
            // If the name is unknown, the gate looks at the database, and may find that it has to translate.
            gate.keyOf(given);
        }
        return gate.translates() ? MessageNames.map(request, gate::keyOf) : request;
    }

    /** The response with the names of the workspaces whose keys it holds. Workers are told keys. */
    Message withNames(Message response) {
        return isForWorkers() || !gate.translates() ? response : MessageNames.map(response, gate::nameOf);
    }

    /**
     * Fails unless the caller may make the request, and its workspace serves it. May wait for the database if the caller
     * has rights in single folders only, or if the workspace is unknown.
     */
    void require(Access access, Message request) {
        requireAllowed(access, request);
        if (workspace != null && !isForWorkers()) {
            gate.require(workspace(request), rule.isInArchived(), access);
        }
    }

    private boolean isForWorkers() {
        return rule.scope() == Scope.SCOPE_SESSION || rule.scope() == Scope.SCOPE_LEASE;
    }

    private void requireAllowed(Access access, Message request) {
        CallerKind kind = access.caller().kind();
        if (rule.isOpen() || kind == CallerKind.LOCAL) {
            return;
        }
        if (kind == CallerKind.ANONYMOUS) {
            throw Denied.unauthenticated();
        }
        if (isForWorkers() != (kind == CallerKind.WORKER)) {
            throw isForWorkers() ? Denied.workersOnly(access) : Denied.peopleOnly(access);
        }
        if (kind == CallerKind.GATEWAY) {
            throw Denied.peopleOnly(access);
        }
        requireRole(access, request);
    }

    private void requireRole(Access access, Message request) {
        if (isForWorkers()) {
            // Workers have no roles: the service looks at what the token of the worker allows.
            return;
        }
        requireVisible(access, request);
        switch (rule.scope()) {
            case SCOPE_INSTANCE -> access.requireInstallation(rule.role());
            case SCOPE_WORKSPACE -> access.requireWorkspace(rule.role(), workspace(request));
            case SCOPE_ANY_FOLDER, SCOPE_TARGETS -> {
                if (!access.rights().allowsAnyFolder(rule.role(), workspace(request))) {
                    throw Denied.inAnyFolder(access, rule.role(), workspace(request));
                }
            }
            case SCOPE_PATH -> access.require(rule.role(), workspace(request), text(request, path));
            case SCOPE_RUN -> requireRun(access, request);
            case SCOPE_PUBLIC,
                    SCOPE_AUTHENTICATED,
                    SCOPE_SESSION,
                    SCOPE_LEASE,
                    SCOPE_LINK,
                    SCOPE_UNSPECIFIED,
                    UNRECOGNIZED -> {}
        }
    }

    /** Refuses a workspace in which the caller has no role in the same way as one that does not exist. */
    private void requireVisible(Access access, Message request) {
        boolean isInWorkspace = rule.least().isPresent()
                ? rule.scope() != Scope.SCOPE_INSTANCE
                : !text(request, workspace).isEmpty();
        if (isInWorkspace && !access.rights().allowsAnyFolder(Role.VIEWER, workspace(request))) {
            throw gate.notFound(workspace(request), access);
        }
    }

    private void requireRun(Access access, Message request) {
        Workspace owner = workspace(request);
        if (access.rights().allows(rule.role(), owner)) {
            return;
        }
        RunRef named = RequestFields.run(text(request, workspace), text(request, run));
        String none = "There is no run " + named.id() + ".";
        String name = runs.findName(named).orElseThrow(() -> new MillraceException(ErrorCode.RUN_NOT_FOUND, none));
        if (!access.allows(Role.VIEWER, owner, name)) {
            throw MillraceException.hiding(ErrorCode.RUN_NOT_FOUND, none);
        }
        access.require(rule.role(), owner, name);
    }

    private Workspace workspace(Message request) {
        return RequestFields.workspace(text(request, workspace));
    }

    private static String text(Message request, @Nullable FieldDescriptor field) {
        return field == null ? "" : (String) request.getField(field);
    }
}
