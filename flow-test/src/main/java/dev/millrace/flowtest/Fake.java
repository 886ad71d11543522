package dev.millrace.flowtest;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.AttemptResult;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** What a step does in a test in place of its code. */
@FunctionalInterface
public interface Fake {
    /**
     * Does one attempt.
     *
     * @throws SimulationStopped if the test is wrong
     */
    Answer call(Call call);

    /**
     * An attempt of a job.
     *
     * @param name path of the script or name of the handler
     * @param attempt number of the attempt of this job, from 1
     * @param timeout of the attempt
     */
    record Call(RunId run, StepKey step, String name, Json input, int attempt, Duration timeout) {}

    /** What an attempt does, and after which virtual time it has done so. */
    record Answer(AttemptResult result, Duration takes) {
        public static Answer of(Json result) {
            return new Answer(new AttemptResult.Succeeded(result), Duration.ZERO);
        }

        /** A failure after which the step is retried if its policy says so. */
        public static Answer failure(String name, String message) {
            return new Answer(new AttemptResult.Failed(new JobError(name, message, "", true)), Duration.ZERO);
        }

        /** Returns this answer after virtual time. */
        public Answer after(Duration time) {
            return new Answer(result, time);
        }
    }

    /** Computes the result from the input, both as JSON. */
    static Fake computing(UnaryOperator<String> function) {
        return call -> Answer.of(new Json(function.apply(call.input().text())));
    }

    /** Always returns this JSON. */
    static Fake returning(String json) {
        return computing(_ -> json);
    }

    /** Fails each attempt. */
    static Fake failing(String name, String message) {
        return _ -> Answer.failure(name, message);
    }

    /** Returns this fake, but the first attempts of each job fail. */
    default Fake failingFirst(int attempts, String name, String message) {
        return call -> call.attempt() <= attempts ? Answer.failure(name, message) : call(call);
    }

    /** Returns this fake, but each attempt takes virtual time; beyond the timeout of the step, it times out. */
    default Fake taking(Duration time) {
        return call -> call(call).after(time);
    }
}
