package dev.millrace.gateway.testing;

import com.google.protobuf.Duration;
import com.google.protobuf.Timestamp;
import dev.millrace.proto.server.v1.GetServerStatusRequest;
import dev.millrace.proto.server.v1.GetServerStatusResponse;
import dev.millrace.proto.server.v1.RetentionStatus;
import dev.millrace.proto.server.v1.ServerServiceGrpc;
import io.grpc.stub.StreamObserver;

/** Two tables: one that was swept, one of which the sweep failed. */
final class FakeServer extends ServerServiceGrpc.ServerServiceImplBase {

    @Override
    public void getServerStatus(GetServerStatusRequest request, StreamObserver<GetServerStatusResponse> answer) {
        answer.onNext(GetServerStatusResponse.newBuilder()
                .addRetention(RetentionStatus.newBuilder()
                        .setTable("job_history")
                        .setHolds("Ended runs with their steps")
                        .setAge(Duration.newBuilder().setSeconds(2_592_000))
                        .setSetting("millrace.retention.history")
                        .setRowsEstimate(1_000_000)
                        .setBytes(5_000_000_000L)
                        .setOldestTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
                        .setSweepTime(Timestamp.newBuilder().setSeconds(1_802_000_000))
                        .setRemovedRows(7))
                .addRetention(RetentionStatus.newBuilder()
                        .setTable("mutex")
                        .setFailureTime(Timestamp.newBuilder().setSeconds(1_802_000_000))
                        .setError("canceling statement due to lock timeout"))
                .build());
        answer.onCompleted();
    }
}
