package dev.millrace.scheduler.trace;

import dev.millrace.proto.trace.v1.GetRunTraceRequest;
import dev.millrace.proto.trace.v1.GetRunTraceResponse;
import dev.millrace.proto.trace.v1.TraceServiceGrpc;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** gRPC service for the traces of runs. */
public final class TraceGrpcService extends TraceServiceGrpc.TraceServiceImplBase {
    private final RunTraces traces;

    public TraceGrpcService(RunTraces traces) {
        this.traces = traces;
    }

    @Override
    public void getRunTrace(GetRunTraceRequest request, StreamObserver<GetRunTraceResponse> observer) {
        RunTraces.RunTrace trace = traces.load(RequestFields.run(request.getWorkspace(), request.getRunId()));
        Unary.answer(
                observer,
                GetRunTraceResponse.newBuilder()
                        .setTraceId(trace.traceId().orElse(""))
                        .addAllSpans(
                                trace.spans().stream().map(TraceProtos::span).toList())
                        .setTruncated(trace.isTruncated())
                        .build());
    }
}
