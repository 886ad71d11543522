package dev.millrace.scheduler.explain;

import dev.millrace.proto.explain.v1.ExplainRunRequest;
import dev.millrace.proto.explain.v1.ExplainRunResponse;
import dev.millrace.proto.explain.v1.ExplainServiceGrpc;
import dev.millrace.proto.explain.v1.Explanation;
import dev.millrace.scheduler.explain.core.Cause;
import dev.millrace.scheduler.explain.core.Reason;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import io.grpc.stub.StreamObserver;

/** gRPC service for explanations. */
public final class ExplainGrpcService extends ExplainServiceGrpc.ExplainServiceImplBase {
    private final Explanations explanations;

    public ExplainGrpcService(Explanations explanations) {
        this.explanations = explanations;
    }

    @Override
    public void explainRun(ExplainRunRequest request, StreamObserver<ExplainRunResponse> observer) {
        Explanations.Explanation explained =
                explanations.explain(RequestFields.run(request.getWorkspace(), request.getRunId()));
        Unary.answer(
                observer,
                ExplainRunResponse.newBuilder()
                        .setSummary(explained.summary())
                        .addAllSteps(explained.steps().stream()
                                .map(ExplainGrpcService::step)
                                .toList())
                        .setStepsLeftOut(explained.leftOut())
                        .build());
    }

    private static Explanation step(Reason reason) {
        return Explanation.newBuilder()
                .setStep(reason.stepKey())
                .setCause(cause(reason.cause()))
                .setText(reason.text())
                .build();
    }

    private static Explanation.Cause cause(Cause cause) {
        return switch (cause) {
            case RUNNING -> Explanation.Cause.CAUSE_RUNNING;
            case NO_WORKER -> Explanation.Cause.CAUSE_NO_WORKER;
            case SLOT -> Explanation.Cause.CAUSE_SLOT;
            case TIME -> Explanation.Cause.CAUSE_TIME;
            case EVENTS -> Explanation.Cause.CAUSE_EVENTS;
            case PAUSED -> Explanation.Cause.CAUSE_PAUSED;
            case TIME_LIMIT -> Explanation.Cause.CAUSE_TIME_LIMIT;
            case CHILD_RUN -> Explanation.Cause.CAUSE_CHILD_RUN;
            case LIMIT -> Explanation.Cause.CAUSE_LIMIT;
            case TAG_PAUSED -> Explanation.Cause.CAUSE_TAG_PAUSED;
            case STARTING -> Explanation.Cause.CAUSE_STARTING;
            case NEEDS -> Explanation.Cause.CAUSE_NEEDS;
        };
    }
}
