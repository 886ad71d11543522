package dev.millrace.gateway.testing;

import dev.millrace.proto.explain.v1.ExplainRunRequest;
import dev.millrace.proto.explain.v1.ExplainRunResponse;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.explain.v1.Explanation;
import io.grpc.stub.StreamObserver;

/** One run, {@code r1}, that waits for a worker. */
final class FakeExplanations extends ExplainServiceGrpc.ExplainServiceImplBase {

    @Override
    public void explainRun(ExplainRunRequest request, StreamObserver<ExplainRunResponse> answer) {
        if (!request.getRunId().equals("r1")) {
            answer.onError(Refusals.notFound("run", request.getRunId()));
            return;
        }
        answer.onNext(ExplainRunResponse.newBuilder()
                .setSummary("It waits.")
                .addSteps(Explanation.newBuilder()
                        .setStep("send")
                        .setCause(Explanation.Cause.CAUSE_NO_WORKER)
                        .setText("No worker."))
                .setStepsLeftOut(2)
                .build());
        answer.onCompleted();
    }
}
