package dev.millrace.gateway.testing;

import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.ListWorkersResponse;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import io.grpc.stub.StreamObserver;

/** One worker. */
final class FakeWorkers extends WorkerServiceGrpc.WorkerServiceImplBase {

    @Override
    public void listWorkers(ListWorkersRequest request, StreamObserver<ListWorkersResponse> answer) {
        var group = SlotGroup.newBuilder()
                .setName("python")
                .addTags("python")
                .setSlots(2)
                .setPrefetch(1);
        answer.onNext(ListWorkersResponse.newBuilder()
                .addWorkers(Worker.newBuilder()
                        .setSessionId("session-1")
                        .setName("w1")
                        .putRuntimes("python", "3.12.1")
                        .addSlotGroups(group)
                        .setLeasedJobs(1))
                .build());
        answer.onCompleted();
    }
}
