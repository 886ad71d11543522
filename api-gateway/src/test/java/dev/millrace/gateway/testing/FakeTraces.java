package dev.millrace.gateway.testing;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.trace.v1.GetRunTraceRequest;
import dev.millrace.proto.trace.v1.GetRunTraceResponse;
import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.trace.v1.SpanAttribute;
import dev.millrace.proto.trace.v1.SpanEvent;
import dev.millrace.proto.trace.v1.TraceServiceGrpc;
import io.grpc.stub.StreamObserver;

/** One run, {@code r1}, with a span that failed. */
final class FakeTraces extends TraceServiceGrpc.TraceServiceImplBase {

    @Override
    public void getRunTrace(GetRunTraceRequest request, StreamObserver<GetRunTraceResponse> answer) {
        if (!request.getRunId().equals("r1")) {
            answer.onError(Refusals.notFound("run", request.getRunId()));
            return;
        }
        answer.onNext(GetRunTraceResponse.newBuilder()
                .setTraceId("4bf92f3577b34da6a3ce929d0e0e4736")
                .addSpans(Span.newBuilder()
                        .setSpanId("00f067aa0ba902b7")
                        .setName("run hello")
                        .setKind(Span.Kind.KIND_INTERNAL)
                        .setStartTime(Timestamp.newBuilder().setSeconds(1))
                        .setEndTime(Timestamp.newBuilder().setSeconds(2))
                        .setStatus(Span.Status.STATUS_ERROR)
                        .setStatusMessage("It broke.")
                        .addAttributes(SpanAttribute.newBuilder().setKey("n").setIntValue(3))
                        .addEvents(SpanEvent.newBuilder()
                                .setName("exception")
                                .setTime(Timestamp.newBuilder().setSeconds(2))))
                .build());
        answer.onCompleted();
    }
}
