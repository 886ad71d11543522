package dev.millrace.scheduler.retention;

import dev.millrace.proto.server.v1.GetServerStatusRequest;
import dev.millrace.proto.server.v1.GetServerStatusResponse;
import dev.millrace.proto.server.v1.ServerServiceGrpc;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** Serves the status of the installation over gRPC. */
public final class ServerGrpcService extends ServerServiceGrpc.ServerServiceImplBase {
    private final Retention retention;

    public ServerGrpcService(Retention retention) {
        this.retention = retention;
    }

    @Override
    public void getServerStatus(GetServerStatusRequest request, StreamObserver<GetServerStatusResponse> observer) {
        Unary.answer(
                observer,
                GetServerStatusResponse.newBuilder()
                        .addAllRetention(retention.status().stream()
                                .map(ServerGrpcService::message)
                                .toList())
                        .build());
    }

    private static dev.millrace.proto.server.v1.RetentionStatus message(RetentionStatus status) {
        var message = dev.millrace.proto.server.v1.RetentionStatus.newBuilder()
                .setTable(status.table())
                .setHolds(status.holds())
                .setAge(TimeProtos.duration(status.age()))
                .setSetting(status.setting().orElse(""))
                .setRowsEstimate(status.rowsEstimate())
                .setBytes(status.bytes())
                .setRemovedRows(status.removedRows())
                .setError(status.error());
        status.oldest().map(TimeProtos::timestamp).ifPresent(message::setOldestTime);
        status.swept().map(TimeProtos::timestamp).ifPresent(message::setSweepTime);
        status.due().map(TimeProtos::timestamp).ifPresent(message::setDueTime);
        status.failed().map(TimeProtos::timestamp).ifPresent(message::setFailureTime);
        return message.build();
    }
}
