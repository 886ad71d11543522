package dev.millrace.gateway.testing;

import dev.millrace.proto.worker.v1.ListWorkersRequest;
import dev.millrace.proto.worker.v1.ListWorkersResponse;
import dev.millrace.proto.worker.v1.ScriptProcess;
import dev.millrace.proto.worker.v1.SlotGroup;
import dev.millrace.proto.worker.v1.Worker;
import dev.millrace.proto.worker.v1.WorkerServiceGrpc;
import io.grpc.stub.StreamObserver;

/** One worker with one process. */
final class FakeWorkers extends WorkerServiceGrpc.WorkerServiceImplBase {

    @Override
    public void listWorkers(ListWorkersRequest request, StreamObserver<ListWorkersResponse> answer) {
        var group = SlotGroup.newBuilder()
                .setName("python")
                .addTags("python")
                .setSlots(2)
                .setPrefetch(1);
        var worker = Worker.newBuilder()
                .setSessionId("session-1")
                .setName("w1")
                .putRuntimes("python", "3.12.1")
                .addSlotGroups(group)
                .setLeasedJobs(1);
        if (request.getProcesses()) {
            worker.setProcessesLeftOff(3)
                    .addProcesses(ScriptProcess.newBuilder()
                            .setWorkspace("default")
                            .setScriptPath("a/b.py")
                            .setLanguage("python")
                            .setState(ScriptProcess.State.STATE_BUSY)
                            .setPid(42)
                            .setJobsEnded(7)
                            .setMemoryBytes(1 << 20));
        }
        answer.onNext(ListWorkersResponse.newBuilder().addWorkers(worker).build());
        answer.onCompleted();
    }
}
