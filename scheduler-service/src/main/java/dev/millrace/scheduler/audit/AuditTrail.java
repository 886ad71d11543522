package dev.millrace.scheduler.audit;

import com.google.protobuf.Message;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.CallSubject;
import dev.millrace.scheduler.access.ClientAddress;
import dev.millrace.scheduler.access.Refusals;
import dev.millrace.scheduler.access.WorkspaceGate;
import dev.millrace.scheduler.audit.core.AuditEvent;
import dev.millrace.scheduler.audit.core.AuditOutcome;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the events of calls. Thread-safe. */
public final class AuditTrail implements Refusals, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);

    private final AuditStore store;
    private final IdSource ids;
    private final AuditedMethods methods;
    private final WorkspaceGate workspaces;
    private final LateEvents late;

    private AuditTrail(
            AuditStore store, IdSource ids, AuditedMethods methods, WorkspaceGate workspaces, LateEvents late) {
        this.store = store;
        this.ids = ids;
        this.methods = methods;
        this.workspaces = workspaces;
        this.late = late;
    }

    /**
     * Starts to record the calls of these services.
     *
     * @param services all services of the server
     */
    public static AuditTrail start(
            Database database, IdSource ids, List<BindableService> services, WorkspaceGate workspaces) {
        AuditStore store = new AuditStore(database);
        store.forgetForeignTransactions();
        LateEvents late = new LateEvents(store, ids, InstantSource.system()).start();
        return new AuditTrail(store, ids, new AuditedMethods(services), workspaces, late);
    }

    Optional<AuditedMethod> find(MethodDescriptor<?, ?> method) {
        return methods.find(method);
    }

    /** The event of a call that begins. May wait for the database if the request names an unknown workspace. */
    AuditEvent begin(AuditedMethod method, Access access, String address, @Nullable Message request) {
        return new AuditEvent(
                ids.nextUuid(),
                request == null
                        ? Optional.empty()
                        : method.facts().workspace(request).map(this::keyed),
                AuditDetail.shortened(access.name()),
                access.caller().credential(),
                AuditDetail.shortened(address),
                request == null ? method.action() : method.action(request),
                request == null ? "" : method.facts().subject(request),
                AuditOutcome.ALLOWED,
                detail(method, access, request).json(),
                1);
    }

    private Workspace keyed(Workspace named) {
        return Workspace.of(workspaces.keyOf(named.name()));
    }

    /** What is kept of the request of a call. */
    static AuditDetail detail(AuditedMethod method, Access access, @Nullable Message request) {
        AuditDetail kept = request == null
                ? AuditDetail.NONE
                : method.facts().detail(request, access.caller().mayActAs());
        return kept.with("service", method.service());
    }

    /**
     * Records a call that has changed nothing, before its caller gets the answer. Blocking. A link can be used again and again
     * without any change, so such calls are counted as refused ones are.
     */
    void succeeded(AuditedCall call) {
        if (call.isWritten()) {
            return;
        }
        AuditEvent event = call.event();
        if (CallSubject.isOfLink(event.principal())) {
            denied(event);
        } else {
            store.insert(event);
        }
        call.written();
    }

    /**
     * Records a call that was allowed and has failed. May block. Anybody can let calls fail that need no token, so those of
     * callers whom nobody knows are counted as refused ones are, and so are those of links.
     */
    void failed(AuditEvent event) {
        boolean isOfStranger = event.principal().equals(Access.ANONYMOUS.name())
                && event.credential().isEmpty();
        boolean isOfLink = CallSubject.isOfLink(event.principal()) && event.outcome() != AuditOutcome.UNKNOWN;
        if (isOfStranger || isOfLink) {
            denied(event);
            return;
        }
        if (event.outcome() == AuditOutcome.UNKNOWN) {
            late.late(event);
            return;
        }
        try {
            store.insert(event);
        } catch (RuntimeException failure) {
            log.atWarn().setCause(failure).log("An audit event will be written later");
            late.late(event);
        }
    }

    /** Records a refused call, or counts it if the caller has had many. Returns at once. */
    void denied(AuditEvent event) {
        late.denied(event.of(ids.nextUuid(), 1));
    }

    @Override
    public void refused(ServerCall<?, ?> call, Metadata headers, RuntimeException reason) {
        if (CallEnd.outcome(reason) != AuditOutcome.DENIED) {
            return;
        }
        Access caller = Access.ANONYMOUS;
        find(call.getMethodDescriptor()).ifPresent(method -> {
            AuditDetail detail = CallEnd.detail(detail(method, caller, null), reason);
            AuditEvent event = begin(method, caller, ClientAddress.of(call, headers), null);
            late.denied(event.ended(AuditOutcome.DENIED, detail.json()));
        });
    }

    @Override
    public void close() {
        late.close();
    }
}
