package dev.millrace.scheduler.quota;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import dev.millrace.proto.access.v1.Scope;
import dev.millrace.scheduler.access.RpcRule;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of a method take from the quotas of a workspace.
 *
 * @param specs the field with the submitted runs; null for one run in each request
 * @param isSubmission whether a request submits runs
 * @param hasPayload whether the bytes of a request count
 * @param isStream whether a call keeps a stream open
 */
record QuotaMethod(
        FieldDescriptor workspaceField,
        @Nullable FieldDescriptor specs,
        boolean isSubmission,
        boolean hasPayload,
        boolean isStream) {
    /** Methods with payloads, besides submissions. */
    private static final Set<String> WITH_PAYLOADS = Set.of("SendSignal", "AnswerWait");

    /** The method; empty if its calls take nothing. */
    static Optional<QuotaMethod> of(MethodDescriptor method) {
        Descriptor request = method.getInputType();
        @Nullable FieldDescriptor workspace = request.findFieldByName("workspace");
        if (workspace == null) {
            return Optional.empty();
        }
        Scope scope = RpcRule.of(method).scope();
        boolean isSubmission = scope == Scope.SCOPE_TARGETS;
        boolean hasPayload = isSubmission || WITH_PAYLOADS.contains(method.getName());
        boolean isStream = method.isServerStreaming() && !method.isClientStreaming();
        return hasPayload || isStream
                ? Optional.of(new QuotaMethod(
                        workspace, request.findFieldByName("specs"), isSubmission, hasPayload, isStream))
                : Optional.empty();
    }

    Workspace workspace(Message request) {
        return RequestFields.workspace((String) request.getField(workspaceField));
    }

    /** Number of runs that a request submits. */
    long runs(Message request) {
        return isSubmission ? specs == null ? 1 : request.getRepeatedFieldCount(specs) : 0;
    }

    /** Bytes of a request that count. */
    long bytes(Message request) {
        return hasPayload ? request.getSerializedSize() : 0;
    }
}
