package dev.millrace.scheduler.signal;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.run.v1.GetRunRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.run.v1.RunSpec;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.SignalServiceGrpc;
import dev.millrace.proto.signal.v1.Wait;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Base class of tests with runs that wait, on one scheduler for the test class. */
abstract class WaitingRuns {
    static RunningScheduler scheduler;

    @BeforeAll
    static void startScheduler() {
        scheduler = new RunningScheduler();
    }

    @AfterAll
    static void stopScheduler() {
        scheduler.close();
    }

    /** Submits a run whose only step, {@code w}, is this wait. */
    static String submit(String wait) {
        return scheduler.runs().submitRun(submission(step(wait))).getRun().getId();
    }

    /** Submits a run with these steps. */
    static String submitSteps(String steps) {
        return scheduler.runs().submitRun(submission(steps)).getRun().getId();
    }

    /** Submits a run like {@link #submit}, and waits for its end. */
    static Run awaitEnd(String wait) {
        return scheduler
                .runs()
                .submitRun(submission(step(wait)).toBuilder()
                        .setWait(Duration.newBuilder().setSeconds(20))
                        .build())
                .getRun();
    }

    private static String step(String wait) {
        return "- id: w\n  wait: " + wait.strip().replace("\n", "\n    ") + "\n";
    }

    private static SubmitRunRequest submission(String steps) {
        String definition = "millrace: v1\nname: waits\nsteps:\n" + steps.indent(2);
        String hash = scheduler
                .flows()
                .deployFlow(DeployFlowRequest.newBuilder()
                        .setFileName("flow.yaml")
                        .setDefinition(ByteString.copyFromUtf8(definition))
                        .build())
                .getFlow()
                .getHash();
        return SubmitRunRequest.newBuilder()
                .setSpec(RunSpec.newBuilder().setTarget(RunTarget.newBuilder().setFlowHash(hash)))
                .build();
    }

    static List<Wait> waits(String run) {
        return signals()
                .listWaits(ListWaitsRequest.newBuilder().setRunId(run).build())
                .getWaitsList();
    }

    static String send(String run, String name, String payload) {
        return signals()
                .sendSignal(SendSignalRequest.newBuilder()
                        .setRunId(run)
                        .setName(name)
                        .setPayload(ByteString.copyFromUtf8(payload))
                        .build())
                .getStep();
    }

    static void answer(String run, String step, Answer answer, String actor, String payload) {
        signals()
                .answerWait(AnswerWaitRequest.newBuilder()
                        .setRunId(run)
                        .setStep(step)
                        .setAnswer(answer)
                        .setActor(actor)
                        .setPayload(ByteString.copyFromUtf8(payload))
                        .build());
    }

    static String output(String run) {
        return run(run).getOutput().toStringUtf8();
    }

    static Run run(String run) {
        return scheduler
                .runs()
                .getRun(GetRunRequest.newBuilder().setRunId(run).build())
                .getRun();
    }

    static StatusRuntimeException failure(ThrowingCallable call) {
        return catchThrowableOfType(StatusRuntimeException.class, call);
    }

    static SignalServiceGrpc.SignalServiceBlockingStub signals() {
        return SignalServiceGrpc.newBlockingStub(scheduler.channel()).withDeadlineAfter(60, TimeUnit.SECONDS);
    }
}
