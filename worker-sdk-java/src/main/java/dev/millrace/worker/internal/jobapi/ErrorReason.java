package dev.millrace.worker.internal.jobapi;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.protobuf.StatusProto;

/** The reason with which the scheduler refuses a call: a word in the details of the status. */
final class ErrorReason {
    static final String LEASE_LOST = "LEASE_LOST";
    static final String QUOTA_EXCEEDED = "QUOTA_EXCEEDED";
    static final String SECRET_UNAVAILABLE = "SECRET_UNAVAILABLE";

    private ErrorReason() {}

    /** The reason of a failed call; empty if it has none. */
    static String of(Throwable failure) {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        return status == null
                ? ""
                : status.getDetailsList().stream()
                        .filter(detail -> detail.is(ErrorInfo.class))
                        .map(ErrorReason::read)
                        .findFirst()
                        .orElse("");
    }

    private static String read(Any detail) {
        try {
            return detail.unpack(ErrorInfo.class).getReason();
        } catch (InvalidProtocolBufferException e) {
            return "";
        }
    }
}
