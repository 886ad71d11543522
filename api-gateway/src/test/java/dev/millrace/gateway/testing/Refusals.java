package dev.millrace.gateway.testing;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** Failures in the form that a scheduler sends. */
public final class Refusals {

    private Refusals() {}

    public static StatusRuntimeException of(Code code, String reason, String message, Message... details) {
        var status = Status.newBuilder()
                .setCode(code.getNumber())
                .setMessage(message)
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason(reason)
                        .setDomain("millrace.dev")
                        .build()));
        for (var detail : details) {
            status.addDetails(Any.pack(detail));
        }
        return StatusProto.toStatusRuntimeException(status.build());
    }

    public static StatusRuntimeException notFound(String what, String id) {
        return of(
                Code.NOT_FOUND,
                what.toUpperCase(java.util.Locale.ROOT) + "_NOT_FOUND",
                "There is no " + what + " " + id + ".");
    }
}
