package dev.millrace.scheduler.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.ListStepsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.Step;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.run.v1.WatchRunRequest;

/** Deploys flows to a scheduler, and runs them. */
public final class FlowRuns {
    private static final int WAIT_SECONDS = 60;

    private final RunningScheduler scheduler;

    public FlowRuns(RunningScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Deploys a flow whose definition contains its name. */
    public void deploy(String definition) {
        scheduler
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build());
    }

    /** Submits a run without input, and returns it as accepted. */
    public Run submit(String flow) {
        return submit(flow, "{}");
    }

    /** Submits a run, and returns it as accepted. */
    public Run submit(String flow, String input) {
        return submit(flow, input, 0);
    }

    /** Submits a run without input, and returns it after its end. */
    public Run run(String flow) {
        return run(flow, "{}");
    }

    /** Submits a run, and returns it after its end. */
    public Run run(String flow, String input) {
        return submit(flow, input, WAIT_SECONDS);
    }

    private Run submit(String flow, String input, int waitSeconds) {
        return scheduler
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunSpec.newBuilder()
                                .setTarget(RunTarget.newBuilder().setFlowPath(flow))
                                .setInput(ByteString.copyFromUtf8(input)))
                        .setWait(Duration.newBuilder().setSeconds(waitSeconds))
                        .build())
                .getRun();
    }

    /** Reads the current state of the run. */
    public Run get(String run) {
        return scheduler
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun();
    }

    /** Waits for the end of the run, and returns it. */
    public Run end(Run run) {
        return end(run.getId());
    }

    /** Waits for the end of the run, and returns it. */
    public Run end(String run) {
        scheduler
                .runs()
                .watchRun(WatchRunRequest.newBuilder().setRunId(run).build())
                .forEachRemaining(_ -> {});
        return get(run);
    }

    public Step step(Run run, String key) {
        return scheduler
                .runs()
                .listSteps(ListStepsRequest.newBuilder().setRunId(run.getId()).build())
                .getStepsList()
                .stream()
                .filter(step -> step.getKey().equals(key))
                .findFirst()
                .orElseThrow();
    }
}
